import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const words = process.argv.slice(2);

const drills = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.drill.test.ts'))
  .map((name) => name.replace('.drill.test.ts', ''));

const help = `npm run drills               every drill, one after the other
npm run drills -- <word>     those with the word in their name

${drills.map((name) => `  ${name}`).join('\n')}
`;

if (words.includes('--help')) {
  process.stdout.write(help);
} else {
  const runner = join(import.meta.dirname, '../../../node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [runner, 'run', '--project', 'drills', ...words], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
