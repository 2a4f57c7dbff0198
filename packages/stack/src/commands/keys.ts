import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import type { GeneratedKeys } from '@rubrica/process/keyring';
import { projectRoot } from '../setup/home.ts';
import { UsageError } from '../terminal/arguments.ts';
import type { Output } from '../terminal/style.ts';
import type { Command, CommandContext } from './command.ts';

/**
 * Command that rotates key files step by step. Only the platform's team knows the necessary pause between two steps.
 */
export const keys: Command = {
  name: 'keys',
  summary: 'rotate the key files of a deployment',
  help: `npm run keys -- [--in folder] …

  list                  the keys of each service, the one in use first
  add <service> <use>   a new key of that use (sig, enc, audit, mac), not used yet
  use <service> <kid>   from now on the service signs by it, or others seal to it
  end <service> <kid>   nothing it has made is taken any more

Changes the key files in the folder (deploy/secrets unless named). Services read
them again within 5 s. deploy/keys.md says what to wait for between the steps.`,
  async run({ args, output }: CommandContext): Promise<number> {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { in: { type: 'string' } },
    });
    const [step, name, subject = ''] = positionals;
    const { keyFolder } = await import('../deploy/key-folder.ts');
    const folder = keyFolder(resolve(values.in ?? join(projectRoot, 'deploy', 'secrets')));
    if (step === 'list') {
      for (const service of services) list(output, service, await folder.read(service));
      return 0;
    }
    const service = services.find((known) => known === name);
    if (service === undefined || subject === '')
      throw new UsageError('Name a step, a service and a use or kid.');
    const { set, message } = await takeStep(step, { service, subject, set: await folder.read(service) });
    await folder.write(service, set);
    output.line(`  ${output.good('✔')} ${message}`);
    return 0;
  },
};

interface Step {
  readonly service: ServiceName;
  readonly subject: string;
  readonly set: GeneratedKeys;
}

async function takeStep(
  name: string | undefined,
  step: Step,
): Promise<{ set: GeneratedKeys; message: string }> {
  const { addKey, endKey, keyUses, KeyRotationError, useKey } = await import('@rubrica/process/keyring');
  const { service, subject, set } = step;
  try {
    if (name === 'add') {
      const use = keyUses.find((known) => known === subject);
      if (use === undefined) throw new UsageError(`A use is one of ${keyUses.join(', ')}.`);
      const { set: next, kid } = addKey(set, service, use);
      return { set: next, message: `${kid} is there, and not used yet` };
    }
    if (name === 'use') return { set: useKey(set, subject), message: `${subject} is in use` };
    if (name === 'end') return { set: endKey(set, subject), message: `${subject} is ended` };
  } catch (error) {
    if (error instanceof KeyRotationError) throw new UsageError(error.message);
    throw error;
  }
  throw new UsageError('A step is list, add, use or end.');
}

function list(output: Output, service: ServiceName, { privateJwks }: GeneratedKeys): void {
  for (const key of privateJwks.keys) {
    const ended = 'ended' in key && key.ended !== undefined ? `  ended ${key.ended}` : '';
    output.line(`  ${service.padEnd(10)} ${key.use.padEnd(5)} ${key.kid}${ended}`);
  }
}
