import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  encodeCertId,
  issuerHashes,
  ocspRequest,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
} from '@rubrica/pki';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { admin, issued, published } from './support/issued-certificates.ts';
import { openScene } from './support/scene.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const scene = await disposeAfterAll(openScene());

const serialOf = () => `5A${randomBytes(19).toString('hex').toUpperCase()}`;

interface Said {
  readonly code: number;
  readonly text: string;
}

function command(args: readonly string[], ownerUrl = scene.env.ground.service.ownerUrl): Promise<Said> {
  const env = { ...process.env, ...scene.env.env, DATABASE_OWNER_URL: ownerUrl };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, 'revoke-forgotten', ...args],
      { env },
      (_fault, stdout, stderr) => resolve({ code: child.exitCode ?? -1, text: stdout + stderr }),
    );
  });
}

async function entryOf(serial: string) {
  const list = parseCrl(await published(scene, 'issuing.crl'));
  if (!list.ok) throw new Error(list.error.reason);
  return list.value.find(serial);
}

async function ocspStatusOf(serial: string) {
  const issuing = parseCertificate(await published(scene, 'issuing.cer'));
  if (!issuing.ok) throw new Error(issuing.error.code);
  const certIds = [encodeCertId({ issuer: issuerHashes(issuing.value), hash: 'sha1', serial })];
  const request = Buffer.from(ocspRequest({ certIds })).toString('base64');
  const { response } = await scene.gateway.serviceClient({ kind: 'public' }).pki.ocsp.query({ request });
  const answer = parseOcspResponse(Buffer.from(response, 'base64'));
  if (!answer.ok || answer.value.status !== 'successful') throw new Error('no answer');
  return answer.value.responses[0]?.status;
}

const auditOf = (serial: string) =>
  scene.env.database.query<{ action: string; actor: string; detail: object }>(
    `select action, actor, detail - 'status' - 'change' as detail from generation.audit_entry where serial = $1 order by sequence`,
    [serial],
  );

describe('a certificate that a restore has forgotten', () => {
  it('is unknown until the command revokes it; then CRL, OCSP, register and audit say so', async () => {
    const [first, second] = [serialOf(), serialOf()];
    expect(await ocspStatusOf(first)).toBe('unknown');
    const file = join(scene.env.ground.folder, 'forgotten.txt');
    await writeFile(file, `# from the partner\n${second.toLowerCase()} 2026-11-23\n`);
    const reason = ['--reason', 'keyCompromise', '--comment', 'restored to 10:00'];
    const said = await command([...reason, '--file', file, first]);
    expect(said).toEqual({ code: 0, text: `${first}  revoked\n${second}  revoked\n` });

    for (const serial of [first, second]) {
      await expect.poll(() => entryOf(serial)).toMatchObject({ serial, reason: 'keyCompromise' });
      expect(await ocspStatusOf(serial)).toMatchObject({ reason: 'keyCompromise' });
      expect(await admin(scene).get.query({ serialNumber: serial })).toMatchObject({
        status: 'REVOKED',
        revocationReason: 'keyCompromise',
        pem: null,
      });
      expect(await auditOf(serial)).toEqual([
        {
          action: 'certificate.revoked',
          actor: expect.stringMatching(/^machine:.+@.+/),
          detail: { reason: 'keyCompromise', forgotten: true, comment: 'restored to 10:00' },
        },
      ]);
    }
    // A serial number is taken by its row before anything is made under it, so no certificate will have these.
    const reserve = scene.env.database.query(
      `insert into generation.serial_number (serial, request_id, attempt, fence)
       select $1, request_id, attempt, 1 from generation.issuance limit 1`,
      [first],
    );
    await expect(reserve).rejects.toThrow('serial_number_pkey');
  });

  it('is revoked once, however often the command is given', async () => {
    const serial = serialOf();
    await command([serial]);
    expect(await command([serial])).toEqual({
      code: 0,
      text: `${serial}  had been revoked by this command\n`,
    });
    expect(await auditOf(serial)).toHaveLength(1);
  });

  it('may have a number that the restored database holds for abandoned', async () => {
    const { requestId } = await issued(scene);
    const [abandoned, underWay] = [serialOf(), serialOf()];
    await scene.env.database.query(
      `insert into generation.serial_number (serial, request_id, attempt, fence, state)
       values ($1, $3, 1, 1, 'ABANDONED'), ($2, $3, 1, 1, 'RESERVED')`,
      [abandoned, underWay, requestId],
    );
    expect(await command([abandoned, underWay])).toEqual({
      code: 1,
      text: expect.stringMatching(
        new RegExp(`^${abandoned}  revoked\n${underWay}  NOT revoked: its certificate is being made`),
      ),
    });
    await expect.poll(() => entryOf(abandoned)).toMatchObject({ reason: 'superseded' });
  });
});

describe('the command', () => {
  it('leaves a certificate alone that is known: those are revoked by operators and partners', async () => {
    const { serialNumber } = await issued(scene);
    const said = await command([serialNumber]);
    expect(said).toEqual({ code: 1, text: expect.stringContaining('NOT revoked: its certificate is known') });
    expect(await admin(scene).get.query({ serialNumber })).toMatchObject({ status: 'VALID' });
  });

  it('revokes nothing by a list that has a fault', async () => {
    const serial = serialOf();
    expect(await command([serial, 'ABC'])).toEqual({ code: 2, text: 'ABC is none of our serial numbers\n' });
    expect(await command(['--issuer', 'other', serial])).toEqual({
      code: 2,
      text: expect.stringContaining('--issuer must name one of the authorities'),
    });
    expect(await auditOf(serial)).toEqual([]);
  });

  it('takes the rights of the schema’s owner, which no running service has', async () => {
    const serial = serialOf();
    expect(await command([serial], scene.env.ground.service.appUrl)).toEqual({
      code: 2,
      text: 'DATABASE_OWNER_URL is not of the role that owns the schema\n',
    });
    expect(await auditOf(serial)).toEqual([]);
    expect(await scene.liveCertificates(uuidv7())).toBe(0);
  });
});
