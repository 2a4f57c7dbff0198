import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Judges certificates by lists: provider, folder, lists by comma, then certificates. A line for each: good or why not. */
class Judge {
  public static void main(String[] arguments) throws Exception {
    boolean isBouncyCastle = arguments[0].equals("BC");
    if (isBouncyCastle)
      java.security.Security.addProvider((java.security.Provider)
          Class.forName("org.bouncycastle.jce.provider.BouncyCastleProvider").getDeclaredConstructor().newInstance());
    Path folder = Path.of(arguments[1]);
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<Object> lists = new ArrayList<>();
    for (String name : arguments[2].split(","))
      lists.add(factory.generateCRL(new ByteArrayInputStream(Files.readAllBytes(folder.resolve(name)))));
    CertStore store = CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists));
    X509Certificate issuing = certificate(factory, folder.resolve("issuing.cer"));
    for (int index = 3; index < arguments.length; index++) {
      // The issuing authority is the anchor: only the last certificate's status is asked for.
      PKIXParameters parameters = parameters(isBouncyCastle, new TrustAnchor(issuing, null));
      parameters.addCertStore(store);
      CertPath path = factory.generateCertPath(List.of(certificate(factory, folder.resolve(arguments[index]))));
      CertPathValidator validator =
          isBouncyCastle ? CertPathValidator.getInstance("PKIX", "BC") : CertPathValidator.getInstance("PKIX");
      String said = "good";
      try {
        validator.validate(path, parameters);
      } catch (CertPathValidatorException exception) {
        said = exception.getReason() + " " + exception.getMessage();
      }
      System.out.println(arguments[index] + "\t" + said.replaceAll("\\s+", " "));
    }
  }

  /** Bouncy Castle uses delta lists where it is told to; Java's own validator knows none. */
  static PKIXParameters parameters(boolean isBouncyCastle, TrustAnchor anchor) throws Exception {
    if (!isBouncyCastle) return new PKIXParameters(Set.of(anchor));
    Class<?> type = Class.forName("org.bouncycastle.x509.ExtendedPKIXParameters");
    Object parameters = type.getConstructor(Set.class).newInstance(Set.of(anchor));
    type.getMethod("setUseDeltasEnabled", boolean.class).invoke(parameters, true);
    return (PKIXParameters) parameters;
  }

  static X509Certificate certificate(CertificateFactory factory, Path at) throws Exception {
    return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(Files.readAllBytes(at)));
  }
}
