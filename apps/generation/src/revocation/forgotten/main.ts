import { readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { createDatabase } from '@rubrica/database/connection';
import { isSchemaOwner } from '@rubrica/database/migrate';
import { createLogger } from '@rubrica/process/log';
import { systemClock, uuidv7 } from '@rubrica/process/time';
import { readForgottenConfig } from '../../config.ts';
import { entities, schema } from '../../store/schema.ts';
import { createStatusLedger } from '../status-ledger.ts';
import { findIssuer } from './find-issuer.ts';
import { help, readArguments, readRequest } from './read-arguments.ts';
import { createRevokeForgotten, type ForgottenOutcome } from './revoke-forgotten.ts';

const outcomeTexts: Readonly<Record<ForgottenOutcome, string>> = {
  revoked: 'revoked',
  before: 'had been revoked by this command',
  known: 'NOT revoked: its certificate is known, so certificates.revoke revokes it',
  underWay: 'NOT revoked: its certificate is being made; ask again when its request has ended',
};

/**
 * Revokes certificates after a restore to an earlier point. Needs the schema owner's role.
 * @returns exit code: 1 where one was not revoked, 2 where nothing was attempted
 */
export async function run(args: readonly string[]): Promise<number> {
  const parsed = readArguments(args);
  if (parsed.values.help) return print(help, 0);
  const { log, authority, databaseOwnerUrl: url } = readForgottenConfig();
  const { file } = parsed.values;
  const request = readRequest(parsed, file === undefined ? '' : await readFile(file, 'utf8'));
  if ('faults' in request) return printFaults(request.faults);
  const logger = createLogger({ service: 'generation-revoke-forgotten', ...log });
  await using database = createDatabase({ url, schema, entities, logger, poolSize: 1 });
  if (!(await isSchemaOwner(database, schema)))
    return printFaults(['DATABASE_OWNER_URL is not of the role that owns the schema']);
  const issuer = await findIssuer(authority.directory, request.issuer);
  if ('fault' in issuer) return printFaults([issuer.fault]);
  const revokeForgotten = createRevokeForgotten({
    database,
    ledger: createStatusLedger(database, undefined),
    issuer,
    actor: `machine:${userInfo().username}@${hostname()}`,
    newId: uuidv7,
    clock: systemClock,
  });
  let exitCode = 0;
  for (const serial of request.serials) {
    const outcome = await revokeForgotten(serial, request);
    if (outcome === 'known' || outcome === 'underWay') exitCode = 1;
    print(`${serial}  ${outcomeTexts[outcome]}\n`, exitCode);
  }
  return exitCode;
}

function print(text: string, exitCode: number): number {
  process.stdout.write(text);
  return exitCode;
}

function printFaults(faults: readonly string[]): number {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return 2;
}
