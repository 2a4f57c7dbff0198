import { runCa } from './run-ca.ts';

process.exitCode = await runCa(process.argv.slice(2), {
  cwd: process.cwd(),
  line: (text = '') => void process.stdout.write(`${text}\n`),
  complain: (text) => void process.stderr.write(`${text}\n`),
});
