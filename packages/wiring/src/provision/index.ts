import { adoptAuditEntries } from '@rubrica/audit/entries';
import { auditGrants } from '@rubrica/audit/migrations';
import { connectBus, ensureBucket, ensureConsumers, ensureStreams } from '@rubrica/bus';
import { toProvisionUser } from '@rubrica/contracts/messages/accounts';
import { buckets, consumers, streams } from '@rubrica/contracts/messages/messages';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { createDatabase } from '@rubrica/database/connection';
import { migrate, readMigrations } from '@rubrica/database/migrate';
import {
  type databaseSettings,
  isLoopbackAddress,
  type natsSettings,
  type provisionSettings,
} from '@rubrica/process/config';
import type { Logger } from '@rubrica/process/log';
import type { z } from 'zod';
import { busTls } from '../bus-tls.ts';
import type { ReleaseSchema } from './missing-migrations.ts';
import { untilBusAnswers, untilDatabaseAnswers } from './until-reached.ts';

export type { ReleaseSchema } from './missing-migrations.ts';

export interface SchemaStep extends ReleaseSchema {
  readonly database: z.output<typeof databaseSettings>;
  readonly ownerUrl: string;
  /** `SANDBOX` of this step; the next field is `BASE_URL`, if set. */
  readonly sandbox: boolean;
  readonly baseUrl: string | undefined;
  /** ADOPT_AUDIT_HOURS. */
  readonly adoptAuditHours: number | undefined;
  readonly logger: Logger;
}

/** Brings the service's schema up to date, as its owner, for the role of the running service; waits for PostgreSQL. */
export async function provisionSchema({
  schema,
  database,
  ownerUrl,
  folder,
  base,
  audit,
  appendOnly = [],
  readOnly = [],
  sandbox,
  baseUrl,
  adoptAuditHours,
  logger,
}: SchemaStep): Promise<void> {
  const migrations = [...base, ...(await readMigrations(folder))];
  const appRole = decodeURIComponent(new URL(database.url).username);
  const run = () =>
    migrate({
      ownerUrl,
      schema,
      appRole,
      migrations,
      grants: auditGrants(audit, { schema, appRole }),
      appendOnly,
      readOnly,
      sandbox: { isWanted: sandbox, isLocal: baseUrl !== undefined && isLoopbackAddress(baseUrl) },
      logger,
    });
  await untilDatabaseAnswers(run, logger);
  if (adoptAuditHours === undefined) return;
  await using owner = createDatabase({ url: ownerUrl, schema, entities: [], logger, poolSize: 1 });
  await adoptAuditEntries(owner, { table: audit, hours: adoptAuditHours });
  logger.warn(
    { reason: `ADOPT_AUDIT_HOURS=${adoptAuditHours}` },
    'time for audit entries without a MAC was set',
  );
}

type ProvisionSettings = z.output<typeof provisionSettings>;

type BusProvision = Pick<ProvisionSettings, 'natsUser' | 'natsPassword' | 'natsTlsDirectory'> &
  Partial<Pick<ProvisionSettings, 'natsReplicas'>> & {
    /** Size of the owner's bucket, instead of that in the table of buckets. */
    readonly bucketBytes?: number;
  };

/** Creates the streams, consumers and buckets that a service owns, as the authorised user; waits for the bus. */
export async function provisionStreams(
  owner: ServiceName,
  nats: Pick<z.output<typeof natsSettings>, 'url' | 'apiPrefix'>,
  {
    natsUser,
    natsPassword,
    natsTlsDirectory: tlsDirectory,
    natsReplicas: replicas = 1,
    bucketBytes,
  }: BusProvision,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  const connecting = connectBus({
    servers: nats.url.split(','),
    user: natsUser,
    password: natsPassword,
    ...busTls({ url: nats.url, tlsDirectory }, natsUser),
    name: toProvisionUser(owner),
    apiPrefix: nats.apiPrefix,
  });
  await using bus = await untilBusAnswers(connecting, logger);
  await ensureStreams(
    bus,
    streams.filter((stream) => stream.owner === owner),
    { replicas },
  );
  await ensureConsumers(
    bus,
    Object.values(consumers).filter((consumer) => consumer.owner === owner),
  );
  for (const bucket of buckets.filter((one) => one.owner === owner))
    await ensureBucket(bus, {
      ...bucket,
      replicas,
      maxBytes: bucketBytes ?? bucket.maxBytes,
      keepsLarger: true,
    });
}
