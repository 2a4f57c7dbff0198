import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { attempt, lacksProgram, type Outcome, type Reader, readProgramFault, run } from './reader.ts';

/**
 * Script that prints a failed check and exits with 1. The file, its password and the serial number are its arguments.
 */
const script = `
[, $file, $password, $serial] = $argv;
openssl_pkcs12_read(file_get_contents($file), $found, rtrim(file_get_contents($password), "\\n")) or exit(openssl_error_string() . "\\n");
$read = openssl_x509_parse($found['cert'])['serialNumber'];
if ($read !== $serial) exit("the serial number reads $read\\n");
openssl_sign('Yo firmo.', $signature, $found['pkey'], OPENSSL_ALGO_SHA256) or exit(openssl_error_string() . "\\n");
echo openssl_verify('Yo firmo.', $signature, $found['cert'], OPENSSL_ALGO_SHA256) === 1 ? "well\\n" : "not verified\\n";
`;

/** PHP: invoice signers write its `serialNumber`, a decimal number, into `X509SerialNumber`. */
export const php: Reader = {
  name: 'PHP',
  does: 'opens, signs, reads the serial number in decimal',
  missing: () => lacksProgram('php', 'php-cli'),
  async read({ samples, write }) {
    const outcomes: Outcome[] = [];
    for (const sample of samples) {
      const secret = write('password', `${sample.password}\n`);
      const { serialNumber } = new X509Certificate(readFileSync(sample.certificate));
      outcomes.push(
        await attempt(sample, 'opens the file, signs and reads the serial number', () => {
          const args = [sample.p12, secret, BigInt(`0x${serialNumber}`).toString()];
          const done = run('php', ['-r', script, '--', ...args]);
          return readProgramFault(done, done.output.endsWith('well\n'));
        }),
      );
    }
    return outcomes;
  },
};
