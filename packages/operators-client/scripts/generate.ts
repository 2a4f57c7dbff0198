import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './generated-files.ts';

/** Writes the generated files of `src` from the contracts; with `--check` it only reports whether they are outdated. */
const folder = join(import.meta.dirname, '..', 'src');
for (const [name, wanted] of Object.entries(generatedFiles())) {
  const file = join(folder, name);
  if (!process.argv.includes('--check')) writeFileSync(file, wanted);
  else if (readFileSync(file, 'utf8') !== wanted) {
    process.stderr.write(
      `src/${name} is not what the contracts say: npm run generate --workspace @rubrica/operators-client\n`,
    );
    process.exitCode = 1;
  }
}
