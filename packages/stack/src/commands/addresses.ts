import type { StackInfo } from '../stack/stack-info.ts';
import type { Output } from '../terminal/style.ts';
import { nearest } from '../terminal/style.ts';

/** Prints the addresses of the stack and the paths of its files for a person. */
export function showAddresses(output: Output, info: StackInfo, infoFile: string): void {
  const row = (name: string, value: string, note = '') =>
    output.line(`  ${name.padEnd(12)} ${output.accent(value)}${note === '' ? '' : `  ${output.dim(note)}`}`);
  const heading = (text: string, note: string) =>
    output.line(`\n  ${output.bold(text.padEnd(12))} ${output.dim(note)}`);
  row('REST API', info.baseUrl, `documentation: ${info.baseUrl}/docs`);
  row('Console', info.consoleUrl, 'pages for operators');
  row('tRPC', info.trpcUrl, 'for operators, over HTTP');
  row('Mail', info.mailUrl, 'what would have been sent by e-mail and SMS');
  row('PostgreSQL', withoutPassword(info.databaseUrl));
  row('NATS', withoutPassword(info.natsUrl));
  row('Sandbox', 'true', 'registries and proofs of life are answered in process');
  heading('Partners', 'client id and secret');
  for (const [key, { clientId, clientSecret }] of Object.entries(info.partners)) {
    output.line(`  ${key.padEnd(12)} ${clientId}  ${output.dim(clientSecret)}`);
  }
  heading('Operators', 'e-mail and password');
  for (const [key, { email, password }] of Object.entries(info.operators)) {
    output.line(`  ${key.padEnd(12)} ${email.padEnd(24)} ${output.dim(password)}`);
  }
  output.line(`\n  ${output.dim(`All of it, with passwords: ${nearest(infoFile)}`)}`);
}

function withoutPassword(address: string): string {
  return address.replace(/:\/\/([^:@/]+):[^@]+@/, '://$1@');
}
