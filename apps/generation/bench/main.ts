import { parseArgs } from 'node:util';
import { type CertificateRates, measureCertificates } from './certificates.ts';

const usage = `Usage: npm run bench -w apps/generation [-- options]

Prints, from one run:
  certificates per second   16 in flight, no key made ahead, against bare key generation; RSA-2048 and P-256

Options:
  --quick   fewer of each, for a glance
  --help    this text
`;

const say = (text: string) => process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) say(usage);
else await run(values.quick ? 64 : 300);

async function run(count: number): Promise<void> {
  for (const algorithm of ['RSA_2048', 'P_256'] as const)
    say(format(await measureCertificates(algorithm, count), count));
}

function format({ algorithm, perSecond, bareKeys }: CertificateRates, count: number): string {
  const [before, after] = bareKeys;
  const rate = (value: number) => `${value.toFixed(1)}/s`;
  const ratio = perSecond / ((before + after) / 2);
  return [
    `${algorithm}, ${count} certificates, 16 in flight, no key made ahead`,
    `  certificates   ${rate(perSecond)}`,
    `  bare keys      ${rate(before)} before, ${rate(after)} after`,
    `  ratio          ${ratio.toFixed(2)}`,
    '',
  ].join('\n');
}
