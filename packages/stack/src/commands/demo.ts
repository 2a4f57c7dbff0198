import { join } from 'node:path';
import { runDemo } from '../demo/run-demo.ts';
import { findRunning } from '../stack/find-running.ts';
import { readArguments } from '../terminal/arguments.ts';
import { seconds } from '../terminal/style.ts';
import type { Command, CommandContext } from './command.ts';
import { startWithProgress } from './run-with-progress.ts';
import { listenForStop } from './signals.ts';

export const demo: Command = {
  name: 'demo',
  summary: 'show one request become a certificate, end to end',
  help: `npm run demo

Brings the stack up (or uses the one that is running), registers a request as
the partner "sandbox", receives the webhook, verifies its signature, writes the
certificate to .rubrica/demo/ in the current folder and opens it with OpenSSL.
Ends with 0 when all of it worked.

  PORT, RUBRICA_HOME, NATS_URL   as for "npm start"`,
  async run(context: CommandContext): Promise<number> {
    readArguments(context.args, {});
    const stopping = listenForStop();
    const outcome = await Promise.race([demonstrate(context), stopping.first]);
    return outcome ?? 130;
  },
};

async function demonstrate({ output, env, cwd }: CommandContext): Promise<number> {
  output.line(
    `\n  ${output.bold('Rubrica')} ${output.dim('from a partner’s request to the certificate in its hands')}\n`,
  );
  const folder = join(cwd, '.rubrica', 'demo');
  const running = await findRunning(env);
  if (running !== undefined) {
    output.line(`  Using the stack that is running at ${running.baseUrl}\n`);
    await runDemo({ info: running, folder, output });
  } else {
    await using stack = await startWithProgress(output, {});
    output.line();
    await runDemo({ info: stack.info(), folder, output });
  }
  output.line(`\n  ${output.good('It works.')} ${output.dim(`${seconds(process.uptime() * 1_000)} in all`)}`);
  output.line(`  ${output.dim('Next: "npm start" keeps it running, with documentation at /docs;')}`);
  output.line(`  ${output.dim('"npm run listen -- --register" beside it shows webhooks as they come.')}\n`);
  return 0;
}
