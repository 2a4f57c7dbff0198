import { parseArgs } from 'node:util';
import { type CertificateRates, measureCertificates } from './certificates.ts';
import { measureStatus } from './status.ts';

const usage = `Usage: npm run bench -w apps/generation [-- options]

Prints, from one run:
  certificates per second   16 in flight, no key made ahead, against bare key generation; RSA-2048 and P-256
  CRLs                      milliseconds for 1,000, 100,000 and 1,000,000 revoked, from the lease to the stored file
  OCSP answers per second   the first about each certificate, kept ones, and those signed for one request alone

Options:
  --quick   fewer of each, for a glance
  --help    this text
`;

const say = (text: string) => process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) say(usage);
else
  await run(
    values.quick ? { count: 64, revoked: [1_000] } : { count: 300, revoked: [1_000, 100_000, 1_000_000] },
  );

async function run({ count, revoked }: { count: number; revoked: readonly number[] }): Promise<void> {
  for (const algorithm of ['RSA_2048', 'P_256'] as const)
    say(format(await measureCertificates(algorithm, count), count));
  for (const [what, value] of await measureStatus(revoked)) say(`${what.padEnd(46)}${value.padStart(12)}`);
}

function format({ algorithm, perSecond, bareKeys }: CertificateRates, count: number): string {
  const rate = (value: number) => `${value.toFixed(1)}/s`;
  return [
    `${algorithm}, ${count} certificates, 16 in flight, no key made ahead`,
    `  certificates   ${rate(perSecond)}`,
    `  bare keys      ${rate(bareKeys)}`,
    `  ratio          ${(perSecond / bareKeys).toFixed(2)}`,
    '',
  ].join('\n');
}
