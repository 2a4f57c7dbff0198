import { buildUrl, type SampleCall } from './sample.ts';

/** Writes Java 17 without libraries. Readers run it with \`java Name.java\`. */
export function writeJava(call: SampleCall): string | undefined {
  const { operationId, method, access, mediaType, body } = call;
  if (mediaType !== undefined && body === undefined) return undefined;
  const isLine = mediaType === 'application/x-ndjson';
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const headers = [
    access === 'token' ? `            .header("Authorization", "Bearer " + System.getenv("TOKEN"))\n` : '',
    mediaType === undefined ? '' : `            .header("Content-Type", "${mediaType}")\n`,
  ].join('');
  const given =
    body === undefined
      ? ''
      : `        String body = ${isForm ? writeForm(body as Record<string, string>) : textBlock(body, isLine ? 0 : 4)};\n`;
  const publisher = body === undefined ? 'noBody()' : 'ofString(body)';
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class ${operationId.replace(/^./, (first) => first.toUpperCase())} {
    public static void main(String[] args) throws Exception {
${given}        HttpRequest request = HttpRequest.newBuilder(URI.create("${buildUrl(call)}"))
${headers}            .method("${method}", HttpRequest.BodyPublishers.${publisher})
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}`;
}

function textBlock(body: object, indent: number): string {
  const lines = JSON.stringify(body, null, indent).replaceAll('\\', '\\\\').split('\n');
  return `"""\n${lines.map((line) => `            ${line}`).join('\n')}"""`;
}

function writeForm(body: Readonly<Record<string, string>>): string {
  const fields = new URLSearchParams(body);
  return `"${fields}&client_id=" + System.getenv("CLIENT_ID")
            + "&client_secret=" + System.getenv("CLIENT_SECRET")`;
}
