import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../setup/home.ts';
import { nearest } from '../terminal/style.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';

/** What nobody but the deployment's owner can decide; `deploy/README.md` says how. */
const stepsBeforeServing = [
  'fill the addresses in .env: BASE_URL, mail, SMS, registries and liveness',
  'write the terms: create and activate a version for each certificate type. Without them nobody can claim',
  'create the partners',
] as const;

export const secrets: Command = {
  name: 'secrets',
  summary: 'make the keys and passwords of a deployment',
  help: `node packages/stack/src/cli.ts secrets [folder]

Makes every secret that deploy/compose.yaml expects: key files in secrets/ and
passwords in .env, both in the folder (deploy unless named), and a first operator.
Refuses to touch what is already there. The embedded stack makes its own.`,
  async run({ args, output }: CommandContext): Promise<number> {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const folder = resolve(positionals[0] ?? join(projectRoot, 'deploy'));
    const { makeSecrets } = await import('../deploy/make-secrets.ts');
    try {
      const { files, administrators } = await makeSecrets(folder);
      for (const file of files) output.line(`  ${output.good('✔')} ${nearest(file)}`);
      output.line('\n  First operators; what loosens a rule takes both:');
      for (const { email, password } of administrators) output.line(`  ${email}  ${password}`);
      output.line(`  ${output.dim('Shown once; sign in and change what you need.')}`);
      output.line('\n  Before it can serve:');
      for (const step of stepsBeforeServing) output.line(`  - ${step}`);
      return 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new UsageError(
        `${(error as NodeJS.ErrnoException).path} is already there, and was left as it is.`,
      );
    }
  },
};
