import { randomUUID } from 'node:crypto';
import { linkedPartnerRequestSchema } from '@rubrica/contracts/rest/linked-partner';
import Fastify from 'fastify';
import { Pool } from 'pg';
import {
  findRequest,
  insertEvidence,
  insertOutbox,
  insertRequest,
  toInsertValues,
  toRecord,
} from './rows.ts';

/**
 * Baseline: the code that a team would write first. One process, zod for the same body, `pg` for the same row, the
 * evidence's bytes and an outbox row in one transaction. No token, no encryption, no bus, no second process.
 */
const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');

const pool = new Pool({ connectionString: databaseUrl, max: 16 });
const app = Fastify({ bodyLimit: 64 * 1024 * 1024 });

app.post('/collector/linked-partner/request', async (request, reply) => {
  const parsed = linkedPartnerRequestSchema.safeParse(request.body);
  if (!parsed.success) return reply.code(400).send({ status: 400, errors: parsed.error.issues });
  const requestId = randomUUID();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(insertRequest, toInsertValues(requestId, parsed.data));
    for (const item of parsed.data.evidences) {
      if (typeof item.evidenceFile !== 'string') continue;
      const content = Buffer.from(item.evidenceFile, 'base64');
      await client.query(insertEvidence, [randomUUID(), requestId, content]);
    }
    await client.query(insertOutbox, [randomUUID(), { requestId, attempt: 1 }]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if ((error as { code?: string }).code === '23505') return reply.code(409).send({ status: 409 });
    throw error;
  } finally {
    client.release();
  }
  return {
    linkedPartnerRequestId: requestId,
    referenceTransaction: parsed.data.referenceTransaction,
    status: 'REGISTERED',
    validationStatus: 'PENDING',
    createdAt: new Date().toISOString(),
    errors: [],
  };
});

app.get<{ Querystring: { referenceTransaction: string } }>(
  '/middleware/signature-request/status',
  async (request, reply) => {
    const { rows } = await pool.query(findRequest(request.query.referenceTransaction));
    return rows.length === 0 ? reply.code(404).send({ status: 404 }) : toRecord(rows[0]);
  },
);

process.once('SIGTERM', () => void app.close().then(() => pool.end()));
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
