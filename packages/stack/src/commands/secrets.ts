import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../setup/home.ts';
import { UsageError } from '../terminal/arguments.ts';
import { nearest, type Output } from '../terminal/style.ts';
import type { Command, CommandContext } from './command.ts';

/** Steps that only the deployment's owner can decide; `deploy/README.md` describes them. */
const stepsBeforeServing = [
  'fill the addresses in .env: BASE_URL, CONSOLE_URL, mail, SMS, registries and liveness',
  'name two people in .env (FIRST_ADMINISTRATORS): each gets a link by mail to choose a password',
  'write the terms: create and activate a version for each certificate type. Without them nobody can claim',
  'create the partners',
] as const;

const toKeep = [
  'secrets/ and .env: a copy elsewhere. Without intake.json and generation.json their data are of no use',
  'secrets/authorities/: away from this machine. It makes certificates for the bus and PostgreSQL, and no container needs it',
] as const;

const toRenew = [
  'certificates last 2 years. Before: bring secrets/authorities back, "secrets --renew", then',
  '"docker compose restart postgres" and "docker compose kill -s HUP nats"; services read them by themselves',
] as const;

export const secrets: Command = {
  name: 'secrets',
  summary: 'make the keys, certificates and passwords of a deployment',
  help: `npm run secrets -- [--nats hosts] [--postgres hosts] [folder]
npm run secrets -- --renew [--nats hosts] [--postgres hosts] [folder]

Makes every secret that deploy/compose.yaml expects, in the folder (deploy unless
named): key files in secrets/, certificates in secrets/tls/, what certifies them in
secrets/authorities/, passwords in .env. Refuses to touch what is already there. The embedded stack makes its own.

  --renew               new certificates by the authorities that are there, no more
  --nats, --postgres    names by which services reach the servers, divided by commas
                        (nats and postgres, as in deploy/compose.yaml, unless named)`,
  async run({ args, output }: CommandContext): Promise<number> {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { renew: { type: 'boolean' }, nats: { type: 'string' }, postgres: { type: 'string' } },
    });
    const folder = resolve(positionals[0] ?? join(projectRoot, 'deploy'));
    const hosts = {
      nats: parseHosts(values.nats, 'nats'),
      postgres: parseHosts(values.postgres, 'postgres'),
    };
    const { makeSecrets, renewCertificates } = await import('../deploy/make-secrets.ts');
    const { AuthoritiesMissing } = await import('../deploy/transport-files.ts');
    try {
      if (values.renew) showFiles(output, await renewCertificates(folder, hosts));
      else showCreated(output, await makeSecrets(folder, hosts));
      for (const line of toRenew) output.line(`  ${line}`);
      return 0;
    } catch (error) {
      if (error instanceof AuthoritiesMissing) throw new UsageError(error.message);
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new UsageError(
        `${(error as NodeJS.ErrnoException).path} is already there, and was left as it is.`,
      );
    }
  },
};

/** Parses a list of host names. Clients compare the certificate of a server with its name, never with its address. */
function parseHosts(list: string | undefined, fallback: string): string[] {
  const hosts = (list ?? fallback).split(',').map((host) => host.trim());
  const wrong = hosts.find((host) => !/^(?!\d+\.)[a-z0-9][a-z0-9.-]{0,252}$/i.test(host));
  if (wrong === undefined) return hosts;
  throw new UsageError(`"${wrong}" is not the name of a host; addresses cannot be certified.`);
}

function showFiles(output: Output, files: readonly string[]): void {
  for (const file of files) output.line(`  ${output.good('✔')} ${nearest(file)}`);
  output.line();
}

function showCreated(output: Output, files: readonly string[]): void {
  showFiles(output, files);
  output.line('  Before it can serve:');
  for (const step of stepsBeforeServing) output.line(`  - ${step}`);
  output.line('\n  To keep:');
  for (const one of toKeep) output.line(`  - ${one}`);
  output.line('\n  To renew:');
}
