import { buildUrl, literal, type SampleCall } from './sample.ts';

const words = { true: 'True', false: 'False', null: 'None' };

const formFields = `body["client_id"] = os.environ["CLIENT_ID"]
body["client_secret"] = os.environ["CLIENT_SECRET"]
`;

/** Writes Python that uses only the standard library. */
export function writePython(call: SampleCall): string | undefined {
  const { method, access, mediaType, body } = call;
  if (mediaType !== undefined && body === undefined) return undefined;
  const isLine = mediaType === 'application/x-ndjson';
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const imports = [
    'import json',
    ...(access === 'none' ? [] : ['import os']),
    ...(isForm ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
  ];
  const headers = [
    access === 'token' ? `        "Authorization": f"Bearer {os.environ['TOKEN']}",\n` : '',
    mediaType === undefined || isForm ? '' : `        "Content-Type": "${mediaType}",\n`,
  ].join('');
  const given =
    body === undefined ? '' : `body = ${literal(body, words, '    ')}\n${isForm ? formFields : ''}`;
  const data = body === undefined ? '' : `    data=${isForm ? 'urlencode' : 'json.dumps'}(body).encode(),\n`;
  return `${imports.join('\n')}

${given}request = Request(
    "${buildUrl(call)}",
    method="${method}",
${headers === '' ? '' : `    headers={\n${headers}    },\n`}${data})
with urlopen(request) as answer:
    ${isLine ? 'for line in answer:\n        print(json.dumps(json.loads(line), indent=2))' : 'print(json.dumps(json.load(answer), indent=2))'}`;
}
