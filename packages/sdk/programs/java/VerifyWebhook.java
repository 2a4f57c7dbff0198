import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks of Standard Webhooks (https://www.standardwebhooks.com) with plain Java 17. */
final class VerifyWebhook {
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  private VerifyWebhook() {}

  /**
   * Returns the event's id. Handle each id once: a call is repeated if its answer was lost.
   *
   * @param headers with names in lower case
   * @param body the received bytes, before any parsing
   * @param secrets "whsec_…": the old and the new one while a secret is being replaced
   * @throws SecurityException if the call is not from Rubrica, or not recent: answer 401
   */
  static String verify(Map<String, String> headers, byte[] body, List<String> secrets, Instant now)
      throws GeneralSecurityException {
    String id = header(headers, "webhook-id");
    String timestamp = header(headers, "webhook-timestamp");
    String signatures = header(headers, "webhook-signature");
    if (!timestamp.matches("\\d{1,12}")) throw new SecurityException("the timestamp is no number");
    Duration apart = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
    if (apart.toSeconds() > TOLERANCE.toSeconds())
      throw new SecurityException("the call is too old, or from the future");

    var signed = new ByteArrayOutputStream();
    signed.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    signed.writeBytes(body);
    for (String secret : secrets) {
      byte[] expected = ("v1," + sign(secret, signed.toByteArray())).getBytes(StandardCharsets.UTF_8);
      // Several, separated by spaces, while a secret is being replaced.
      for (String given : signatures.split(" "))
        if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) return id;
    }
    throw new SecurityException("none of the signatures is right");
  }

  private static String sign(String secret, byte[] signed) throws GeneralSecurityException {
    byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return Base64.getEncoder().encodeToString(mac.doFinal(signed));
  }

  private static String header(Map<String, String> headers, String name) {
    String value = headers.getOrDefault(name, "");
    if (value.isEmpty()) throw new SecurityException("the header " + name + " is missing");
    return value;
  }
}
