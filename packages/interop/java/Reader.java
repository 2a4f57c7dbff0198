import java.io.FileInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Security;
import java.security.Signature;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens each file of a list as a signing program in Java does. One line for each check: sample, check, fault or ok. */
class Reader {
  static X509Certificate root;
  static CertStore crls;
  static String provider;

  public static void main(String[] arguments) throws Exception {
    provider = arguments[0];
    if (provider.equals("BC")) {
      Class<?> type = Class.forName("org.bouncycastle.jce.provider.BouncyCastleProvider");
      Security.addProvider((java.security.Provider) type.getDeclaredConstructor().newInstance());
    }
    Path folder = Path.of(arguments[1]);
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    root = (X509Certificate) factory.generateCertificate(new FileInputStream(folder.resolve("root.cer").toFile()));
    List<Object> lists = new ArrayList<>();
    for (String name : arguments[2].split(","))
      lists.add(factory.generateCRL(new FileInputStream(folder.resolve(name + ".crl").toFile())));
    crls = CertStore.getInstance("Collection", new CollectionCertStoreParameters(lists));
    for (String line : Files.readAllLines(folder.resolve("java.tsv"), StandardCharsets.UTF_8)) {
      String[] cells = line.split("\t", -1);
      read(folder, cells);
    }
  }

  interface Check {
    String fault() throws Exception;
  }

  static void check(String sample, String what, Check check) {
    String fault;
    try {
      fault = check.fault();
    } catch (Exception exception) {
      fault = String.valueOf(exception).replaceAll("\\s+", " ");
    }
    System.out.println(sample + "\t" + what + "\t" + (fault == null ? "ok" : fault));
  }

  static void read(Path folder, String[] cells) throws Exception {
    String sample = cells[0];
    boolean good = cells[2].equals("good");
    char[] password = cells[1].toCharArray();
    KeyStore store = provider.equals("BC") ? KeyStore.getInstance("PKCS12", "BC") : KeyStore.getInstance("PKCS12");
    X509Certificate[] chain = new X509Certificate[3];
    check(sample, "opens the file", () -> {
      store.load(new FileInputStream(folder.resolve(sample + ".p12").toFile()), password);
      for (String alias : java.util.Collections.list(store.aliases())) {
        if (!store.isKeyEntry(alias)) continue;
        Certificate[] found = store.getCertificateChain(alias);
        if (found.length != 3) return "a chain of " + found.length;
        for (int index = 0; index < 3; index++) chain[index] = (X509Certificate) found[index];
        return null;
      }
      return "no key in it";
    });
    if (chain[0] == null) return;
    check(sample, "signs", () -> {
      PrivateKey key = null;
      for (String alias : java.util.Collections.list(store.aliases()))
        if (store.isKeyEntry(alias)) key = (PrivateKey) store.getKey(alias, password);
      String algorithm = chain[0].getPublicKey().getAlgorithm().startsWith("EC") ? "SHA256withECDSA" : "SHA256withRSA";
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update("Yo firmo.".getBytes(StandardCharsets.UTF_8));
      byte[] signed = signature.sign();
      signature.initVerify(chain[0].getPublicKey());
      signature.update("Yo firmo.".getBytes(StandardCharsets.UTF_8));
      return signature.verify(signed) ? null : "its own signature does not verify";
    });
    if (!cells[3].isEmpty())
      check(sample, "reads identity fields", () -> {
        String number = field(chain[0], cells[3] + ".1");
        String surname = field(chain[0], cells[3] + ".3");
        return "1710034065".equals(number) && cells[4].equals(surname) ? null : number + " " + surname;
      });
    check(sample, "judges by CRL", () -> judged(chain, good, false, null));
    if (!provider.equals("BC"))
      check(sample, "judges by OCSP", () -> judged(chain, good, true, Files.readAllBytes(folder.resolve(sample + ".ocsp"))));
  }

  /** As FirmaEC reads it: an octet string with a DER string in it. */
  static String field(X509Certificate certificate, String id) {
    byte[] value = certificate.getExtensionValue(id);
    if (value == null) return null;
    int outer = value[1] < 0 ? 2 + (value[1] & 0x7f) : 2;
    byte[] inner = Arrays.copyOfRange(value, outer, value.length);
    int start = inner[1] < 0 ? 2 + (inner[1] & 0x7f) : 2;
    return inner[0] == 0x0c ? new String(inner, start, inner.length - start, StandardCharsets.UTF_8) : null;
  }

  static String judged(X509Certificate[] chain, boolean good, boolean byOcsp, byte[] answer) throws Exception {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    CertPath path = factory.generateCertPath(Arrays.asList(chain[0], chain[1]));
    CertPathValidator validator =
        provider.equals("BC") ? CertPathValidator.getInstance("PKIX", "BC") : CertPathValidator.getInstance("PKIX");
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(root, null)));
    parameters.setRevocationEnabled(!byOcsp);
    parameters.addCertStore(crls);
    if (byOcsp) {
      PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
      checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.ONLY_END_ENTITY, PKIXRevocationChecker.Option.NO_FALLBACK));
      checker.setOcspResponses(Map.of(chain[0], answer));
      parameters.addCertPathChecker(checker);
    }
    try {
      validator.validate(path, parameters);
      return good ? null : "takes it for good";
    } catch (CertPathValidatorException exception) {
      String reason = exception.getReason() + " " + exception.getMessage();
      return !good && reason.matches("(?is).*revo.*|.*hold.*") ? null : reason.replaceAll("\\s+", " ");
    }
  }
}
