import { addressOf, literal, type SampleCall } from './sample.ts';

const words = { true: 'True', false: 'False', null: 'None' };

/** With the standard library alone. */
export function python(call: SampleCall): string | undefined {
  const { method, access, mediaType, body } = call;
  if (mediaType !== undefined && body === undefined) return undefined;
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const imports = ['import json', 'import os', isForm ? 'from urllib.parse import urlencode' : ''];
  const headers = [
    access === 'token' ? `        "Authorization": f"Bearer {os.environ['TOKEN']}",\n` : '',
    mediaType === undefined || isForm ? '' : `        "Content-Type": "${mediaType}",\n`,
  ].join('');
  const fields = isForm
    ? {
        ...body,
        client_id: { env: 'CLIENT_ID' },
        client_secret: { env: 'CLIENT_SECRET' },
      }
    : body;
  const given =
    fields === undefined ? '' : `body = ${literal(fields, words, '    ').replaceAll(secret, environ)}\n`;
  const data =
    fields === undefined ? '' : `    data=${isForm ? 'urlencode' : 'json.dumps'}(body).encode(),\n`;
  return `${imports.filter((line) => line !== '' && (line !== 'import os' || isForm || access === 'token')).join('\n')}
from urllib.request import Request, urlopen

${given}request = Request(
    "${addressOf(call)}",
    method="${method}",
${headers === '' ? '' : `    headers={\n${headers}    },\n`}${data})
with urlopen(request) as answer:
    print(json.dumps(json.load(answer), indent=2))`;
}

const secret = /\{\s*"env": "(\w+)",\s*\}/g;
const environ = 'os.environ["$1"]';
