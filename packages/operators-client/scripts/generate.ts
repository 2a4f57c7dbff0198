import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from './describe-api.ts';

/** Writes `src/api.ts` anew from the contracts; with `--check` it only says whether that is needed. */
const file = join(import.meta.dirname, '..', 'src', 'api.ts');
const wanted = describeApi();
if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  process.stderr.write(
    'src/api.ts is not what the contracts say: npm run generate --workspace @rubrica/operators-client\n',
  );
  process.exitCode = 1;
}
