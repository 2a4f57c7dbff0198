import { type Adoptable, adoptRequest } from '../../src/requests/request/registered/adopt-request.ts';
import { outlinesSql } from '../../src/requests/request/registered/evidence-outline.ts';
import {
  protectRegistered,
  type RegisteredData,
  registeredSql,
} from '../../src/requests/request/registered/registered-data.ts';
import { historySql } from '../../src/requests/request/registered/request-history.ts';
import { ownDatabase } from './own-database.ts';

type Ground = Parameters<typeof ownDatabase>[0];

/**
 * Makes a request that a test has written with SQL the service's own, as if the service had written it so: its data under
 * the MAC, with the decision that it had.
 */
export async function makeAuthentic(
  ground: Ground,
  requestId: string,
  change: Partial<RegisteredData> = {},
): Promise<void> {
  await using own = await ownDatabase(ground);
  const { database, rows } = own;
  const [found] = await database.execute<Adoptable>(
    `select request.id, status, ${registeredSql('request')} as stored, ${historySql('request.id')} as history,
       ${outlinesSql('request.id')} as outlines, sealed_password as "sealedPassword",
       supersede_due_at is not null as "supersedeIsDue"
     from request where id = $1`,
    [requestId],
  );
  if (found === undefined) throw new Error('no such request');
  // Whatever its state: only its data are taken over here.
  const adopted = adoptRequest({ ...found, status: 'CANCELLED', isAsUpgraded: true });
  const data = { ...adopted.data, supersedes: found.stored.supersedes === true || found.supersedeIsDue };
  const decision = found.stored.decision as RegisteredData['decision'];
  const columns = protectRegistered(rows, { ...data, decision, ...change });
  await database.execute(
    `update request set password_sha256 = $2, evidence_sha256 = $3, supersedes = $4, data_version = $5, data_mac = $6,
       decision = $7::jsonb where id = $1`,
    [
      requestId,
      data.passwordSha256,
      data.evidenceSha256,
      data.supersedes,
      columns.data_version,
      columns.data_mac,
      columns.decision,
    ],
  );
}
