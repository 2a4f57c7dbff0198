import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A linked partner's request with a PDF as evidence: it verifies the webhook and opens the certificate.
 *
 * <p>`java LinkedPartner contract.pdf [file]`. The service must reach this machine: CALLBACK_URL is the public address
 * of the receiver, if it differs from this machine.
 */
final class LinkedPartner {
  private static final String PASSWORD = "Galapagos 2026";
  private static final String REQUEST =
      """
      {
        "referenceTransaction": "%s",
        "identificationNumber": "2450010000",
        "fingerCode": "V4333V2222",
        "applicantName": "María José",
        "applicantLastName": "Ñúñez",
        "applicantSecondLastName": "Pazmiño",
        "email": "maria@example.com",
        "cellphoneNumber": "+593991234567",
        "city": "Quito",
        "address": "Av. Amazonas N21-147",
        "documentType": "CI",
        "applicationType": "NATURAL_PERSON",
        "certificateType": "TRADITIONAL_SIGNATURE",
        "period": "ONE_YEAR",
        "password": "%s",
        "evidences": [{ "evidenceFile": "%s", "evidenceType": "CONTRACT" }],
        "callbackUrl": "%s"
      }
      """;

  private static final CompletableFuture<String> event = new CompletableFuture<>();

  public static void main(String[] arguments) throws Exception {
    HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/webhooks", LinkedPartner::receive);
    receiver.start();
    String own = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/webhooks";
    String callbackUrl = System.getenv().getOrDefault("CALLBACK_URL", own);

    String issued;
    try {
      issued = register(arguments[0], callbackUrl);
    } finally {
      // A running receiver would keep the program alive.
      receiver.stop(1);
    }
    if (Rubrica.text(issued, "file").isEmpty()) throw new IllegalStateException("not issued: " + issued);

    byte[] file = Base64.getDecoder().decode(Rubrica.text(issued, "file"));
    Path path = Path.of(arguments.length > 1 ? arguments[1] : "certificate.p12");
    Files.write(path, file);
    KeyStore bundle = KeyStore.getInstance("PKCS12");
    bundle.load(new ByteArrayInputStream(file), PASSWORD.toCharArray());
    var certificate = (X509Certificate) bundle.getCertificate(bundle.aliases().nextElement());
    System.out.println(certificate.getSubjectX500Principal());
    System.out.println(path + ": serial number " + Rubrica.text(issued, "serialNumber"));
  }

  /** Returns the event that ends the request. */
  private static String register(String pdf, String callbackUrl) throws Exception {
    String reference = "JAVA-" + UUID.randomUUID();
    String evidence = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(pdf)));
    String body = REQUEST.formatted(reference, PASSWORD, evidence, callbackUrl);
    String registered = Rubrica.fromEnvironment().post("/collector/linked-partner/request", body);
    System.out.println(reference + " is " + Rubrica.text(registered, "status"));
    // The webhook may still be lost: your program should also read the status from time to time.
    return event.get(10, TimeUnit.MINUTES);
  }

  private static void receive(HttpExchange call) throws IOException {
    byte[] body = call.getRequestBody().readAllBytes();
    Map<String, String> headers = new HashMap<>();
    call.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(), values.get(0)));
    int status = 204;
    try {
      VerifyWebhook.verify(headers, body, List.of(System.getenv("WEBHOOK_SECRET")), Instant.now());
    } catch (SecurityException | GeneralSecurityException refused) {
      System.err.println(refused.getMessage());
      status = 401;
    }
    // Answer first, work afterwards: an answer after more than 15 s does not count.
    call.sendResponseHeaders(status, -1);
    call.close();
    String text = new String(body, StandardCharsets.UTF_8);
    // An empty body is a test call.
    if (status == 204 && !text.equals("{}")) event.complete(text);
  }
}
