import { readFileSync } from 'node:fs';
import vectors from '@rubrica/contracts/webhook-vectors.json' with { type: 'json' };
import { codeBlock, type Html, html } from '../pages/html.ts';

/** Type-checked, tested, and shown as it stands. */
export function verificationExample(): string {
  return readFileSync(new URL('./examples/verify-webhook.ts', import.meta.url), 'utf8');
}

export function verificationVectors(): string {
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

/** Where the page offers both as files. */
export const exampleFile = '/docs/verify-webhook.ts';
export const vectorsFile = '/docs/webhook-vectors.json';

/** What comes to a `callbackUrl`, and how to check that it is ours. */
export function webhooksGuide(): Html {
  return html`<p>Calls to your <code>callbackUrl</code>, signed per Standard Webhooks in <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>. Answer 2xx within 15 seconds; anything else is tried again, ten times over about three days. The same <code>webhook-id</code> may come twice: handle it once.</p>
<section id="verify-webhook"><h3>Verify a call</h3>
<p>Any library for Standard Webhooks does, and so does this file, which needs nothing but Node.js (<a href="${exampleFile}">download</a>):</p>
${codeBlock(verificationExample())}
<dl>
<dt>Bytes</dt><dd>Verify the body as it came. A body that a framework has parsed and written again has other bytes, and its signature is wrong.</dd>
<dt>Several</dt><dd>While a secret is being replaced the header holds one signature per secret, divided by spaces. One that fits is enough.</dd>
<dt>Time</dt><dd>Time and signature are new at each attempt. Refuse what is more than five minutes off, and keep your clock right.</dd>
<dt>Unsigned</dt><dd><code>x-rubrica-event</code> and <code>x-rubrica-occurred-at</code> are for your convenience and not signed: what was signed is id, timestamp and body.</dd>
<dt>Test</dt><dd>${vectors.valid.length} calls to be taken and ${vectors.invalid.length} to be refused, for a test of your receiver in any language: <a href="${vectorsFile}">webhook-vectors.json</a>.</dd>
</dl></section>`;
}
