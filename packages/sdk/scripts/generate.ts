import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from './describe-api.ts';

/** Writes `src/api.ts` from the contracts; with `--check` it only reports whether it is outdated. */
const file = join(import.meta.dirname, '..', 'src', 'api.ts');
const expected = describeApi();
if (!process.argv.includes('--check')) writeFileSync(file, expected);
else if (readFileSync(file, 'utf8') !== expected) {
  process.stderr.write(
    'src/api.ts is not what the contracts say: npm run generate --workspace @rubrica/sdk\n',
  );
  process.exitCode = 1;
}
