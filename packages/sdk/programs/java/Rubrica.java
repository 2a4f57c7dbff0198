import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** A client of Rubrica in plain Java 17: token, calls with safe repetition, waiting. */
final class Rubrica {
  private static final Set<String> ENDS = Set.of("GENERATED", "REFUSED", "CANCELLED", "EXPIRED", "ERROR");

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final String baseUrl;
  private final String client;
  private String token = "";
  private Instant tokenEnds = Instant.EPOCH;

  Rubrica(String baseUrl, String clientId, String clientSecret) {
    this.baseUrl = baseUrl;
    this.client = Base64.getEncoder().encodeToString((clientId + ":" + clientSecret).getBytes(StandardCharsets.UTF_8));
  }

  static Rubrica fromEnvironment() {
    return new Rubrica(System.getenv("BASE_URL"), System.getenv("CLIENT_ID"), System.getenv("CLIENT_SECRET"));
  }

  /** An error answer of the service: the body has "code", "messages" and "traceId". */
  static final class Refused extends IOException {
    final int status;
    final String body;

    Refused(HttpResponse<String> response) {
      super(response.statusCode() + " " + response.body());
      status = response.statusCode();
      body = response.body();
    }
  }

  String post(String path, String body) throws IOException, InterruptedException {
    return call(HttpRequest.newBuilder(URI.create(baseUrl + path)).POST(BodyPublishers.ofString(body)));
  }

  String get(String path, String reference) throws IOException, InterruptedException {
    String query = "?referenceTransaction=" + URLEncoder.encode(reference, StandardCharsets.UTF_8);
    return call(HttpRequest.newBuilder(URI.create(baseUrl + path + query)).GET());
  }

  /** Waits for the final status record, or for ERROR, in which the request waits for a correction. */
  String waitForEnd(String path, String reference) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(Duration.ofMinutes(10));
    while (Instant.now().isBefore(deadline)) {
      String record = get(path, reference);
      if (ENDS.contains(text(record, "status"))) return record;
      Thread.sleep(2_000);
    }
    throw new IOException(reference + " has come to no end");
  }

  /**
   * Reads a text field without a library. In your program use a JSON library, such as Jackson: this method supports
   * neither escapes nor nesting.
   */
  static String text(String json, String field) {
    var found = Pattern.compile("\"" + field + "\"\\s*:\\s*\"([^\"\\\\]*+)\"").matcher(json);
    return found.find() ? found.group(1) : "";
  }

  /** Repeats a call after 429 and 503, which changed nothing. After any other failed call, read the status. */
  private String call(HttpRequest.Builder request) throws IOException, InterruptedException {
    request.timeout(Duration.ofSeconds(60)).header("Content-Type", "application/json");
    for (int attempt = 1; ; attempt++) {
      request.setHeader("Authorization", "Bearer " + token());
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      int status = response.statusCode();
      if (status / 100 == 2) return response.body();
      if ((status != 429 && status != 503) || attempt == 5) throw new Refused(response);
      Optional<String> asked = response.headers().firstValue("retry-after");
      Thread.sleep(asked.map(Long::parseLong).orElse(1L << attempt) * 1_000);
    }
  }

  /** Returns an access token, cached until a minute before its end. */
  private synchronized String token() throws IOException, InterruptedException {
    if (Instant.now().isBefore(tokenEnds)) return token;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(baseUrl + "/oauth/token"))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Basic " + client)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("grant_type=client_credentials"))
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new Refused(response);
    var seconds = Pattern.compile("\"expires_in\":(\\d+)").matcher(response.body());
    token = text(response.body(), "access_token");
    tokenEnds = Instant.now().plusSeconds(seconds.find() ? Long.parseLong(seconds.group(1)) - 60 : 0);
    return token;
  }
}
