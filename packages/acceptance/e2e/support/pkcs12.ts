import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Opens a bundle with OpenSSL, which checks its integrity code and decrypts both halves. */
export async function openPkcs12(folder: string, file: string, password: string) {
  const path = join(folder, `${crypto.randomUUID()}.p12`);
  await writeFile(path, Buffer.from(file, 'base64'));
  const read = async (...options: string[]) => {
    const { stdout } = await run(
      'openssl',
      ['pkcs12', '-in', path, '-passin', 'env:P12_PASSWORD', ...options],
      {
        env: { ...process.env, P12_PASSWORD: password },
      },
    );
    return stdout;
  };
  const certificates = (await read('-nokeys')).match(
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
  );
  const leaf = new X509Certificate(certificates?.[0] ?? '');
  return { leaf, chainLength: certificates?.length ?? 0, privateKey: await read('-nocerts', '-nodes') };
}
