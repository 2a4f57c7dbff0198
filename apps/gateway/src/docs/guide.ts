import { type ErrorCode, errorCatalogue } from '@rubrica/contracts/shared/errors';
import { codeBlock, type Html, html, inline } from '../pages/html.ts';
import { sdkGuide } from './sdk-guide.ts';

/** How requests are made: each by the call it begins with. */
export interface Way {
  readonly name: string;
  readonly description: string | undefined;
  readonly begins: string;
}

function tokenCall(baseUrl: string) {
  return `TOKEN=$(curl -s ${baseUrl}/oauth/token \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials | jq -r .access_token)`;
}

/** What a developer needs before the first call. */
export function guide(baseUrl: string, ways: readonly Way[]): Html {
  const list = ways.map(
    ({ name, description = '', begins }) =>
      html`<li><a href="#${begins}">${name}</a>: ${inline(description)}</li>`,
  );
  return html`<section id="start"><h2>Start here</h2>
<ol class="steps">
<li><h3>Get a token</h3><p>Exchange client id and secret for an access token. It lives half an hour; ask again when it ends.</p>
${codeBlock(tokenCall(baseUrl))}</li>
<li><h3>Register a request</h3><p>Which call it is depends on who checks the applicant, and how. Your <code>referenceTransaction</code> is its key: a repeat is answered 409.</p><ul>${list}</ul></li>
<li><h3>Receive the certificate</h3><p>It comes to your <code>callbackUrl</code> as a <a href="#certificate.issued">signed call</a>. Until then, ask for the status (for linked partners by <a href="#linkedPartnerStatus">this call</a>) as often as <code>Retry-After</code> says.</p></li>
</ol></section>
${sdkGuide()}
<section id="conventions"><h2>Conventions</h2>
<dl>
<dt>Bodies</dt><dd>JSON in UTF-8. Texts are trimmed, an empty one counts as absent, unknown fields are ignored.</dd>
<dt>Files</dt><dd>Base64 (standard or URL-safe, with or without <code>data:</code>) or an array of bytes. The type is told by the content: JPEG, PNG, PDF, MP4, MOV, WebM.</dd>
<dt>Dates</dt><dd><code>createdAt</code> and <code>timestamp</code> are <code>yyyy-MM-dd HH:mm:ss</code>, all others ISO 8601 without zone, in the time zone of the service.</dd>
<dt>Languages</dt><dd>Error texts and the names of reference lists are English; <code>Accept-Language: es</code> gives Spanish.</dd>
<dt>Tracing</dt><dd>Every answer carries <code>x-request-id</code>; a <code>traceparent</code> that you send is kept.</dd>
</dl></section>`;
}

/** The closed catalogue of codes. */
export function errorsSection(): Html {
  const rows = (Object.keys(errorCatalogue) as ErrorCode[]).map((code) => {
    const { http, en, correctable, retryable } = errorCatalogue[code];
    const flags = [correctable && 'correct it', retryable && 'try again'].filter(Boolean).join(', ');
    return html`<tr id="${code}"><td><code>${code}</code></td><td>${http}</td><td>${en}${flags !== '' && html` <span class="quiet">(${flags})</span>`}</td></tr>`;
  });
  return html`<section id="errors"><h2>Errors</h2>
<p>Every answer that is not 2xx has this body. All faults are reported together, each with its <code>field</code>; quote <code>traceId</code> to support.</p>
${codeBlock(JSON.stringify(sample, null, 2))}
<div class="table"><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

const message = 'city is required';
const sample = {
  timestamp: '2026-11-20 19:22:40',
  status: 400,
  error: 'Bad Request',
  message,
  path: '/collector/linked-partner/request',
  code: 'FIELD_REQUIRED',
  messages: [message],
  errors: [{ code: 'FIELD_REQUIRED', field: 'city', message, correctable: true, retryable: false }],
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
};
