import { buildUrl, type SampleCall } from './sample.ts';

/** Writes the command. A GET shows its headers, such as `ETag`. curl sends a POST if there is a body. */
function writeCommand({ method, mediaType }: SampleCall): string {
  if (method === 'GET') return 'curl -i';
  return method === 'POST' && mediaType !== undefined ? 'curl' : `curl -X ${method}`;
}

export function writeCurl(call: SampleCall): string {
  const { access, mediaType, body, isBinary } = call;
  const command = isBinary ? 'curl -s -o answer.der' : writeCommand(call);
  const lines = [`${command} '${buildUrl(call)}'`];
  if (access === 'token') lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (mediaType === 'application/x-www-form-urlencoded') {
    lines.push(
      `-u "$CLIENT_ID:$CLIENT_SECRET"`,
      ...Object.entries(body ?? {}).map(([name, one]) => `-d '${name}=${one}'`),
    );
  } else if (mediaType !== undefined && body === undefined) {
    lines.push(`-H 'Content-Type: ${mediaType}'`, '--data-binary @request.der');
  } else if (mediaType === 'application/x-ndjson') {
    lines.push(`-H 'Content-Type: ${mediaType}'`, `--data-binary '${JSON.stringify(body)}'`);
  } else if (mediaType !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2)}'`);
  }
  return lines.join(' \\\n  ');
}
