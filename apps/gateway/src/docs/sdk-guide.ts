import { readFileSync } from 'node:fs';
import { codeBlock, type Html, html } from '../pages/html.ts';

/** Type-checked, run by a test, and shown as it stands. */
function sdkExample(): string {
  return readFileSync(new URL('./examples/first-certificate.ts', import.meta.url), 'utf8');
}

/** The same in TypeScript, for those who would rather not write the client. */
export function sdkGuide(): Html {
  return html`<section id="sdk"><h2>With the SDK</h2>
<p>The package <code>@rubrica/sdk</code> has a typed method for every operation, without dependencies: Node.js 20.3 or later, or any runtime with <code>fetch</code>. A first certificate, from registration to file:</p>
${codeBlock(sdkExample())}
<dl>
<dt>Tokens</dt><dd>Fetched when needed, shared by all calls, renewed before they end.</dd>
<dt>Repeats</dt><dd>Each call is repeated only where that is safe. A registration whose answer was lost is found by its <code>referenceTransaction</code>: the answer is its record, with <code>recovered: true</code>.</dd>
<dt>Errors</dt><dd>A <code>RubricaError</code> has <code>code</code>, <code>errors</code> and <code>traceId</code>; with <code>outcomeUnknown</code>, ask for the status before you make the call again.</dd>
<dt>Webhooks</dt><dd><code>verifyWebhook</code> takes the bytes and headers of a call and gives its typed event, or throws.</dd>
</dl></section>`;
}
