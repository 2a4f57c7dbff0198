import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.UUID;

/** The shortest flow: a transactional signature and its download. `java FirstCertificate [file]` */
final class FirstCertificate {
  private static final String REQUEST =
      """
      {
        "referenceTransaction": "%s",
        "identificationNumber": "2450010000",
        "fingerCode": "V4333V2222",
        "applicantName": "María José",
        "applicantLastName": "Ñúñez",
        "email": "maria@example.com",
        "cellphoneNumber": "+593991234567",
        "city": "Quito",
        "address": "Av. Amazonas N21-147",
        "documentType": "CI",
        "applicationType": "NATURAL_PERSON"
      }
      """;

  public static void main(String[] arguments) throws Exception {
    Rubrica rubrica = Rubrica.fromEnvironment();
    // Store your reference before you register: with it you find the request in any case.
    String reference = "JAVA-" + UUID.randomUUID();
    rubrica.post("/collector/transactional/request", REQUEST.formatted(reference));
    String record = rubrica.waitForEnd("/middleware/transactional/validation-status", reference);
    if (!Rubrica.text(record, "status").equals("GENERATED")) throw new IllegalStateException(record);

    String issued = rubrica.get("/middleware/transactional/certificate", reference);
    byte[] file = Base64.getDecoder().decode(Rubrica.text(issued, "file"));
    String password = Rubrica.text(issued, "password");
    Path path = Path.of(arguments.length > 0 ? arguments[0] : "certificate.p12");
    Files.write(path, file);

    KeyStore bundle = KeyStore.getInstance("PKCS12");
    bundle.load(new ByteArrayInputStream(file), password.toCharArray());
    String alias = bundle.aliases().nextElement();
    var certificate = (X509Certificate) bundle.getCertificate(alias);
    System.out.println(path + " opens with " + password);
    System.out.println(certificate.getSubjectX500Principal());
    System.out.println("serial number " + Rubrica.text(issued, "serialNumber"));
  }
}
