import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { arc } from '../samples/choices.ts';
import type { World } from '../samples/make-samples.ts';
import { lacksFile, lacksProgram, type Outcome, type Reader, run } from './reader.ts';

const source = join(import.meta.dirname, '../../java/Reader.java');
const jars = ['bcprov', 'bcpkix', 'bcutil'].map((name) => `/usr/share/java/${name}.jar`);

/** Reads all samples in one start of the virtual machine. */
async function readWith(provider: 'JDK' | 'BC', { samples, directory, write, authorities }: World) {
  const rows = samples.map(({ name, password, isGood, isIdentified, firstSurname }) =>
    [name, password, isGood ? 'good' : 'bad', isIdentified ? arc : '', firstSurname].join('\t'),
  );
  write('java.tsv', `${rows.join('\n')}\n`);
  const classes = provider === 'BC' ? ['-cp', [directory, ...jars].join(':')] : ['-cp', directory];
  // Compiled once for both providers.
  if (!existsSync(join(directory, 'Reader.class'))) {
    const compiled = run('javac', ['-d', directory, source]);
    if (compiled.status !== 0) throw new Error(compiled.output);
  }
  const { status, output } = run('java', [...classes, 'Reader', provider, directory, authorities.join(',')]);
  const outcomes = output
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line): Outcome => {
      const [sample = '', what = '', said = ''] = line.split('\t');
      return { sample, what, fault: said === 'ok' ? undefined : said };
    });
  if (status !== 0 || outcomes.length === 0) throw new Error(output.slice(0, 500));
  return outcomes;
}

const javac = () => lacksProgram('javac', 'default-jdk-headless');

/** Java's own key store and path validation, which FirmaEC and most desktop signers use. */
export const jdk: Reader = {
  name: 'Java (JDK)',
  does: 'opens, signs, reads identity fields, judges by CRL and OCSP',
  missing: javac,
  read: (world) => readWith('JDK', world),
};

export const bouncyCastle: Reader = {
  name: 'Bouncy Castle',
  does: 'opens, signs, reads identity fields, judges by CRL',
  missing: () => javac() ?? lacksFile(jars[0] ?? '', 'libbcprov-java libbcpkix-java'),
  read: (world) => readWith('BC', world),
};
