import { mkdirSync } from 'node:fs';
import type { World } from '../samples/make-samples.ts';
import { attempt, lacksProgram, type Outcome, type Reader, readProgramFault, run } from './reader.ts';

/** Creates a key store of NSS that trusts the test root, contains the authorities and, if requested, their CRLs. */
export function nssStore({ directory, file, authorities }: World, name: string): string {
  const path = `${directory}/${name}`;
  mkdirSync(path, { recursive: true });
  const store = `sql:${path}`;
  runOrThrow('certutil', ['-N', '-d', store, '--empty-password']);
  for (const authority of authorities) {
    const trust = authority === 'root' ? 'CT,C,C' : ',,';
    runOrThrow('certutil', ['-A', '-d', store, '-n', authority, '-t', trust, '-i', file(`${authority}.pem`)]);
  }
  return store;
}

function runOrThrow(program: string, args: string[]): void {
  const fault = readProgramFault(run(program, args));
  if (fault) throw new Error(`${program}: ${fault}`);
}

/** Library of Firefox, Thunderbird, LibreOffice and pdfsig. */
export const nss: Reader = {
  name: 'NSS',
  does: 'imports, signs CMS, verifies, judges by CRL',
  missing: () => lacksProgram('pk12util', 'libnss3-tools'),
  async read(world) {
    const { samples, file, write, directory } = world;
    const store = nssStore(world, 'nss');
    const outcomes: Outcome[] = [];
    const text = write('text.txt', 'Yo firmo.\n');
    for (const sample of samples) {
      const secret = write('password', `${sample.password}\n`);
      // A separate store: NSS names a subject only once, even if files differ.
      const own = nssStore(world, `nss-${sample.name}`);
      outcomes.push(
        await attempt(sample, 'imports the file', () =>
          readProgramFault(run('pk12util', ['-i', sample.p12, '-w', secret, '-d', own])),
        ),
        await attempt(sample, 'signs', () => {
          const signed = `${directory}/nss.p7m`;
          const nickname = sample.commonName;
          const done = run('cmsutil', [
            ...[
              '-S',
              '-d',
              own,
              '-N',
              nickname,
              '-i',
              text,
              '-o',
              signed,
              '-H',
              'SHA256',
              '-G',
              '-Y',
              'NONE',
            ],
          ]);
          return (
            readProgramFault(done) ??
            readProgramFault(run('cmsutil', ['-D', '-d', own, '-i', signed, '-u', '4', '-n']))
          );
        }),
      );
    }
    for (const authority of world.authorities) {
      outcomes.push(
        await attempt({ name: authority }, 'imports the CRL', () =>
          readProgramFault(run('crlutil', ['-I', '-d', store, '-i', file(`${authority}.crl`), '-B'])),
        ),
      );
    }
    for (const sample of samples) {
      run('certutil', ['-A', '-d', store, '-n', sample.name, '-t', ',,', '-i', sample.certificate]);
      outcomes.push(
        await attempt(sample, 'judges by CRL', () => {
          const judged = run('certutil', ['-V', '-d', store, '-n', sample.name, '-u', 'S', '-e']);
          return sample.isGood
            ? readProgramFault(judged)
            : readProgramFault(judged, /revoked/i.test(judged.output));
        }),
      );
    }
    return outcomes;
  },
};
