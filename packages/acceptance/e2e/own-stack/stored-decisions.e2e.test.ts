import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { databaseRole, orderedByHand } from '../support/database-role.ts';
import { queryStack } from '../support/ledger.ts';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { errorsLogged, type LogLine } from '../support/service-logs.ts';

/**
 * One service's role in the database, with which an attacker changes what decides on a stack that runs: nothing is signed,
 * sent or released for it, and an alarm names the row.
 */
const scene = await disposeAfterAll(openScene());
const intake = await disposeAfterAll(databaseRole(scene, 'intake'));
const notifier = await disposeAfterAll(databaseRole(scene, 'notifier'));
const mine = await disposeAfterAll(startReceiver());

interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: string[];
}

/** The attacker's own. */
async function startReceiver(): Promise<Receiver> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mine`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The line by which a service says that a row is not its own. */
async function alarmOf(table: string, id: string): Promise<LogLine> {
  return until(`the alarm of ${table} ${id}`, async () => {
    const lines = (await errorsLogged(scene.stack.home, {})) as (LogLine & {
      readonly table?: string;
      readonly subject?: string;
    })[];
    return lines.find((line) => line.table === table && line.subject === id);
  });
}

/** Needs a reviewer, in every family. */
const reviewedCedula = '2450001504';

async function waitingForReview(fields: object = {}) {
  const { requestId } = await scene.partners.sandbox.accepted({
    identificationNumber: reviewedCedula,
    ...fields,
  });
  await until('a review', async () => {
    const [row] = await intake.query<{ waits: boolean }>(
      `select validation_status = 'MANUALLY_VALIDATING' as waits from request where id = $1`,
      [requestId],
    );
    return row?.waits || undefined;
  });
  return requestId;
}

async function certificatesFor(requestId: string): Promise<unknown[]> {
  return queryStack(
    scene.stack,
    `select request_id from generation.certificate where request_id = $1
     union all select request_id from generation.serial_number where request_id = $1`,
    [requestId],
  );
}

const asDecided = `status = 'GENERATING', validation_status = 'COMPLETED', generation_attempt = 1`;

describe('intake’s database role: have a certificate made', () => {
  it.concurrent.each([
    ['that was not decided', 'id = id'],
    [
      'for another person, with a password of the service, sent elsewhere',
      `identification_number = '1710034065', password_origin = 'SERVICE', sealed_password = null, callback_url = ':mine',
       details = details || '{"applicantName": "ROSA ELENA", "applicantLastName": "VICTIMA"}'`,
    ],
    [
      'with a decision that was made up',
      `decision = jsonb_build_object('attempt', validation_attempt, 'unapproved', 3, 'checks', '[]'::jsonb, 'approvals', '[]'::jsonb)`,
    ],
    ['with the MAC taken away', 'data_mac = null'],
    ['of another type and period', `certificate_type = 'TRANSACTIONAL_SIGNATURE', period = 'FIVE_YEARS'`],
    ['as if its applicant had claimed it', `password_origin = 'HOLDER', claimed_at_registration = true`],
  ])('%s', async (_name, set) => {
    const requestId = await waitingForReview();
    await intake.query(`update request set ${asDecided}, ${set.replace(':mine', mine.url)} where id = $1`, [
      requestId,
    ]);
    await intake.query(orderedByHand, [requestId]);
    await alarmOf('request', requestId);
    await until('the attempt was given back', async () => {
      const [row] = await queryStack<{ free: boolean }>(
        scene.stack,
        'select lease_until is null as free from generation.issuance where request_id = $1',
        [requestId],
      );
      return row?.free || undefined;
    });
    expect(await certificatesFor(requestId)).toEqual([]);
    expect(mine.calls).toEqual([]);
  });

  it('by a request of its own', async () => {
    const model = await waitingForReview();
    const requestId = uuidv7();
    await intake.query(
      `insert into request select (jsonb_populate_record(null::request, to_jsonb(request) || $2::jsonb)).*
       from request where id = $1`,
      [
        model,
        JSON.stringify({
          ...{ id: requestId, reference_transaction: `mine-${requestId}`, callback_url: mine.url },
          ...{ status: 'GENERATING', validation_status: 'COMPLETED', generation_attempt: 1 },
        }),
      ],
    );
    await intake.query(orderedByHand, [requestId]);
    await alarmOf('request', requestId);
    expect(await certificatesFor(requestId)).toEqual([]);
    expect(mine.calls).toEqual([]);
  });
});

interface Mail {
  readonly text: string;
}
const mailsTo = async (address: string) => {
  const answer = await fetch(`${scene.stack.info().mailUrl}/messages?to=${encodeURIComponent(address)}`);
  return (await answer.json()) as Mail[];
};

/** A request that waits for its applicant, whose claim mail was sent. */
async function approved() {
  const email = `ana.${crypto.randomUUID().slice(0, 8)}@correo.example`;
  const { otp } = scene.partners;
  const { reference, requestId } = await otp.accepted({ email, password: undefined });
  await otp.reaches(reference, 'APPROVED');
  await until('the claim mail', async () => (await mailsTo(email))[0]);
  return { requestId, email };
}

describe('intake’s database role: have mails of its own sent', () => {
  /** A mail of the attacker's own with a sealed value of their choice, as intake itself would write it. */
  async function mailed(
    requestId: string,
    sealed: string,
    to = `attacker.${crypto.randomUUID().slice(0, 8)}@correo.example`,
  ): Promise<{ id: string; to: string }> {
    const id = uuidv7();
    await intake.query(
      `with written as (
         insert into message (id, request_id, channel, template, language, recipient, sealed_secret)
         values ($1, $2, 'email', 'claim', 'es', $3, $4))
       insert into outbox (message_id, subject, payload)
       values ('mail:' || $1::text, 'jobs.mail.send', jsonb_build_object('messageId', $1::text))`,
      [id, requestId, to, sealed],
    );
    return { id, to };
  }

  it('with a claim link, a webhook secret, the key of a code, or what was sealed for another request', async () => {
    const [own, other] = [await approved(), await approved()];
    const sealed = await intake.query<{ of: string; sealed: string }>(
      `select 'its own link' as of, sealed_secret as sealed from message where request_id = $1
       union all select 'webhook secret', sealed from webhook_secret where sealed is not null
       union all select 'another request', sealed_secret from message where request_id = $2`,
      [own.requestId, other.requestId],
    );
    expect(sealed.map(({ of }) => of)).toEqual(
      expect.arrayContaining(['its own link', 'webhook secret', 'another request']),
    );
    for (const one of sealed) {
      const { id, to } = await mailed(own.requestId, one.sealed);
      await alarmOf('message', id);
      expect(await mailsTo(to), one.of).toEqual([]);
    }
  });

  it('to the applicant, with a webhook secret, the key of a code, or what was sealed for another request', async () => {
    const [own, other] = [await approved(), await approved()];
    const sealed = await intake.query<{ of: string; sealed: string }>(
      `select 'webhook secret' as of, sealed from webhook_secret where sealed is not null
       union all select 'another request', sealed_secret from message where request_id = $1
       union all (select 'key of a code', sealed_key from claim_code where sealed_key is not null limit 1)`,
      [other.requestId],
    );
    for (const one of sealed) {
      const { id, to } = await mailed(own.requestId, one.sealed, own.email);
      const tried = await until(`${one.of} is tried`, async () => {
        const rows = await queryStack<{ error: string | null }>(
          scene.stack,
          'select last_error as error from notifier.message where id = $1 and attempts > 0',
          [id],
        );
        return rows[0];
      });
      expect(tried.error, one.of).toBe('the message could not be prepared');
      expect(await mailsTo(to), one.of).toHaveLength(1);
      await intake.query('update message set sealed_secret = null where id = $1', [id]);
    }
  });
});

describe('notifier’s database role: have a file and its password sent elsewhere', () => {
  it('from a delivery that is open', async () => {
    const refusing = 'http://127.0.0.1:9/hook';
    const { requestId } = await scene.partners.sandbox.accepted({ callbackUrl: refusing });
    const delivery = await until('an attempt', async () => {
      const [row] = await notifier.query<{ id: string }>(
        `select id from delivery where request_id = $1 and type = 'certificate.issued' and attempts > 0`,
        [requestId],
      );
      return row;
    });
    const destination = new URL(mine.url).origin;
    await notifier.query(
      'update delivery set url = $2, destination = $3, due_at = now(), fence = fence + 1 where id = $1',
      [delivery.id, mine.url, destination],
    );
    await alarmOf('delivery', delivery.id);
    const tried = await until('the attempt is written down', async () => {
      const [row] = await notifier.query<{ error: string; body: string | null }>(
        'select last_error as error, body from delivery where id = $1',
        [delivery.id],
      );
      return row?.error.includes('not the one that the partner registered') ? row : undefined;
    });
    expect(tried.body).not.toBeNull();
    expect(mine.calls).toEqual([]);
    await notifier.query('update delivery set url = $2, destination = $3, due_at = now() where id = $1', [
      delivery.id,
      scene.partners.sandbox.callbackUrl,
      new URL(scene.partners.sandbox.callbackUrl).origin,
    ]);
    await until('the next attempt', async () => {
      const [row] = await notifier.query<{ attempts: number }>(
        'select attempts from delivery where id = $1',
        [delivery.id],
      );
      return (row?.attempts ?? 0) > 2 || undefined;
    });
    expect(scene.partners.sandbox.allEvents()).toEqual([]);
  });
});
