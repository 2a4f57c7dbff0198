import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated.ts';

// Writes the files generated from the tables of packages/contracts: `npm run generate`.
for (const { url, text, present } of await generatedFiles()) {
  if (text === present) continue;
  await writeFile(url, text);
  process.stdout.write(`written ${url.pathname}\n`);
}
