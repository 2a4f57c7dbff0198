import { renderText } from '@rubrica/contracts/error-texts/render-text';
import { uuidv7 } from '@rubrica/process/time';
import { disposeAfterAll, pollFor } from '@rubrica/testkit';
import { describe, expect, it } from 'vitest';
import { assertCurrentRole } from '../src/access/operators/assert-current-role.ts';
import { changeOperator, ownDatabase } from './support/own-database.ts';
import { fault, operatorsById, type ReviewGround, reviewGround } from './support/reviews.ts';
import { partnerIds } from './support/running-intake.ts';

const ground = await disposeAfterAll(reviewGround());

function until(requestId: string, status: string, partner: 'sandbox' | 'otp' | 'other' = 'sandbox') {
  return pollFor(async () => {
    const record = await ground.statusOf(requestId, partner);
    return record.status === status && record;
  });
}

describe('the queue', () => {
  it('shows what waits, oldest first and page by page, with its policy, age and who has it', async () => {
    const mine = { partnerId: partnerIds.sandbox };
    const first = await ground.waiting();
    const second = await ground.waiting();
    const third = await ground.waiting();
    ground.pass(90_000);
    const all = await ground.as('viewer').queue.query(mine);
    expect(all.items.map(({ requestId }) => requestId)).toEqual([first, second, third]);
    expect(all.nextCursor).toBeNull();
    expect(all.items[0]).toMatchObject({
      family: 'TV',
      status: 'VALIDATING',
      validationStatus: 'MANUALLY_VALIDATING',
      reviewPolicy: 'manual',
      reviewReason: 'REGISTRY',
      assignedTo: null,
      approvals: 0,
      approvalsNeeded: 1,
    });
    expect(all.items[0]?.ageSeconds).toBeGreaterThanOrEqual(90);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await ground.as('viewer').queue.query({ ...mine, limit: 1, ...(cursor && { cursor }) });
      seen.push(...page.items.map(({ requestId }) => requestId));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([first, second, third]);
  });

  it('is filtered by family, partner, policy, age and who has it', async () => {
    const manual = await ground.waiting();
    const fourEyes = await ground.waiting('other');
    await ground.as('reviewer').assign.mutate({ requestId: manual });
    const found = async (filters: Parameters<ReturnType<typeof ground.as>['queue']['query']>[0]) => {
      const { items } = await ground.as('reviewer').queue.query({ limit: 100, ...filters });
      return [manual, fourEyes].map((id) => items.some(({ requestId }) => requestId === id));
    };
    expect(await found({})).toEqual([true, true]);
    expect(await found({ family: 'TV' })).toEqual([true, true]);
    expect(await found({ family: 'FS' })).toEqual([false, false]);
    expect(await found({ partnerId: partnerIds.other })).toEqual([false, true]);
    expect(await found({ reviewPolicy: 'four-eyes' })).toEqual([false, true]);
    expect(await found({ assignedTo: 'me' })).toEqual([true, false]);
    expect(await found({ assignedTo: 'nobody' })).toEqual([false, true]);
    expect(await found({ assignedTo: operatorsById.reviewer })).toEqual([true, false]);
    expect(await found({ assignedTo: operatorsById.reviewer2 })).toEqual([false, false]);
    expect(await found({ minAgeSeconds: 3_600 })).toEqual([false, false]);
    await expect(found({ cursor: 'made up' })).rejects.toMatchObject(fault('FIELD_INVALID'));
  });

  it('costs what waits: it is answered from its own index, without a sort', async () => {
    const plan = await ground.intake.query<{ 'QUERY PLAN': string }>(
      `explain select id from intake.request
       where status = 'VALIDATING' and validation_status = 'MANUALLY_VALIDATING'
         and (review_since, id) > ('-infinity'::timestamptz, '00000000-0000-0000-0000-000000000000'::uuid)
       order by review_since, id limit 10`,
    );
    expect(JSON.stringify(plan)).toContain('request_review_queue');
    expect(JSON.stringify(plan)).not.toContain('Sort');
  });

  it('holds a regular request where the policy asks for it, and lets it pass where it does not', async () => {
    await ground.setPolicy('otp', 'manual');
    const waiting = await ground.regular('otp');
    await pollFor(async () => {
      const { items } = await ground.as('viewer').queue.query({ family: 'FR', limit: 100 });
      const found = items.find(({ requestId }) => requestId === waiting);
      return found && { reviewPolicy: found.reviewPolicy, reviewReason: found.reviewReason };
    }).then((found) => expect(found).toEqual({ reviewPolicy: 'manual', reviewReason: 'POLICY' }));
    const passing = await ground.regular('sandbox');
    await pollFor(async () => {
      const [row] = await ground.intake.query('select status from intake.request where id = $1', [passing]);
      return row?.status === 'APPROVED';
    });
  });
});

describe('the record of a review', () => {
  it('shows a reviewer the applicant and the evidence, and a viewer neither', async () => {
    const requestId = uuidv7();
    const { evidenceId, bundle } = await ground.evidence(requestId, Buffer.alloc(32, 7));
    await ground.waiting('sandbox', { requestId, evidence: bundle });
    const record = await ground.as('reviewer').get.query({ requestId });
    expect(record).toMatchObject({
      requestId,
      applicant: {
        applicationType: 'NATURAL_PERSON',
        period: 'ONE_YEAR',
        details: { applicantName: 'María José', fingerCode: 'V4333V2222' },
      },
      evidence: [
        {
          evidenceId,
          field: null,
          evidenceType: 'SELFIE',
          mediaType: 'image/png',
          size: expect.any(Number),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      approvalLog: [],
    });
    expect(record.timeline.map(({ kind }) => kind)).toEqual(['register', 'startValidation', 'askForReview']);
    const seen = await ground.as('viewer').get.query({ requestId });
    expect(seen).toMatchObject({ requestId, applicant: null, evidence: null });
    expect(JSON.stringify(seen)).not.toContain('María');
  });

  it('keeps the applicant from reviewers once it is decided', async () => {
    const requestId = await ground.waiting();
    await ground.as('reviewer').approve.mutate({ requestId });
    expect(await ground.as('reviewer').get.query({ requestId })).toMatchObject({
      applicant: null,
      evidence: null,
      approvalLog: [{ operator: 'reviewer@example.com', counts: true }],
    });
    expect((await ground.as('admin').get.query({ requestId })).applicant).not.toBeNull();
  });
});

it('a request that never waited has no review', async () => {
  const requestId = await ground.regular('sandbox');
  await expect(ground.as('admin').get.query({ requestId })).rejects.toMatchObject(fault('REQUEST_NOT_FOUND'));
});

describe('an assignment', () => {
  it('is to oneself, to another reviewer, or to nobody, and is audited', async () => {
    const requestId = await ground.waiting();
    const assign = ground.as('reviewer').assign;
    expect((await assign.mutate({ requestId })).assignedTo).toBe('reviewer@example.com');
    const other = { requestId, operatorEmail: 'Reviewer2@example.com', comment: 'on leave' };
    expect((await assign.mutate(other)).assignedTo).toBe('reviewer2@example.com');
    expect((await assign.mutate({ requestId, operatorEmail: null })).assignedTo).toBeNull();
    expect(await ground.auditOf(requestId)).toMatchObject([
      { action: 'reviews.assign', details: { assignedTo: 'reviewer@example.com' }, reason: null },
      { action: 'reviews.assign', details: { assignedTo: 'reviewer2@example.com' }, reason: 'on leave' },
      { action: 'reviews.assign', details: { assignedTo: null } },
    ]);
  });

  it('to an operator who may not review, or of a request that does not wait, is refused', async () => {
    const requestId = await ground.waiting();
    const { assign, approve } = ground.as('reviewer');
    for (const operatorEmail of ['viewer@example.com', 'nobody@example.com'])
      await expect(assign.mutate({ requestId, operatorEmail })).rejects.toMatchObject(fault('FIELD_INVALID'));
    await approve.mutate({ requestId });
    await expect(assign.mutate({ requestId })).rejects.toMatchObject(fault('REQUEST_STATE_NOT_ALLOWED'));
  });
});

describe('an approval', () => {
  it('of one reviewer is enough under the manual policy: generation is ordered, and the decision audited', async () => {
    const requestId = await ground.waiting();
    const answer = await ground.as('reviewer').approve.mutate({ requestId, comment: 'looks right' });
    expect(answer).toMatchObject({
      status: 'GENERATING',
      validationStatus: 'COMPLETED',
      approvals: 1,
      approvalsNeeded: 1,
    });
    expect(await ground.intake.outbox('jobs.certificate.issue')).toContainEqual({ requestId, attempt: 1 });
    expect(await ground.auditOf(requestId)).toMatchObject([
      { actor: 'operator:reviewer@example.com', action: 'reviews.approve', reason: 'looks right' },
    ]);
  });

  it('of a request that needs a claim sends the link, as an automatic validation would', async () => {
    const requestId = await ground.waiting('otp', { sealedPassword: undefined });
    expect(await ground.as('reviewer').approve.mutate({ requestId })).toMatchObject({ status: 'APPROVED' });
    const [row] = await ground.intake.query<{ template: string; reminders: number; days: number }>(
      `select template, (select count(*)::int from intake.claim_reminder where request_id = request.id) as reminders,
         round(extract(epoch from claim_expires_at - now()) / 86400)::int as days
       from intake.request join intake.message on message.request_id = request.id where request.id = $1`,
      [requestId],
    );
    expect(row).toEqual({ template: 'claim', reminders: 4, days: 50 });
  });

  it('under four eyes needs another operator too; the same one again is 409', async () => {
    const requestId = await ground.waiting('other');
    const first = await ground.as('reviewer').approve.mutate({ requestId });
    expect(first).toMatchObject({
      validationStatus: 'MANUALLY_VALIDATING',
      approvals: 1,
      approvalsNeeded: 2,
    });
    await expect(ground.as('reviewer').approve.mutate({ requestId })).rejects.toMatchObject({
      ...fault('REQUEST_STATE_NOT_ALLOWED'),
      message: expect.stringContaining('another operator'),
    });
    const { timeline } = await ground.as('reviewer2').get.query({ requestId });
    expect(timeline.at(-1)).toMatchObject({ kind: 'approveReview', actor: 'operator:reviewer@example.com' });
    const second = await ground.as('reviewer2').approve.mutate({ requestId });
    expect(second).toMatchObject({ status: 'GENERATING', approvals: 2, approvalsNeeded: 2 });
  });

  it('by one operator twice at once counts once', async () => {
    const requestId = await ground.waiting('other');
    const { approve } = ground.as('reviewer');
    const clicks = await Promise.allSettled(Array.from({ length: 6 }, () => approve.mutate({ requestId })));
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await ground.as('viewer').get.query({ requestId })).approvals).toBe(1);
    expect((await ground.statusOf(requestId, 'other')).validationStatus).toBe('MANUALLY_VALIDATING');
  });

  it('by two operators at once completes four eyes, once', async () => {
    const requestId = await ground.waiting('other');
    const answers = await Promise.all([
      ground.as('reviewer').approve.mutate({ requestId }),
      ground.as('reviewer2').approve.mutate({ requestId }),
    ]);
    expect(answers.map(({ approvals }) => approvals).sort()).toEqual([1, 2]);
    const orders = await ground.intake.outbox('jobs.certificate.issue');
    expect(orders.filter((order) => order.requestId === requestId)).toHaveLength(1);
  });

  it('and a cancel at once: one of them is what happened, and the other is told so', async () => {
    for (let round = 0; round < 6; round += 1) {
      const requestId = await ground.waiting();
      const cancel = { family: 'TV' as const, requestId, faults: [] };
      const [approved, cancelled] = await Promise.allSettled([
        ground.as('reviewer').approve.mutate({ requestId }),
        ground.partner('sandbox').cancel.mutate(cancel),
      ]);
      expect([approved.status, cancelled.status].sort()).toEqual(['fulfilled', 'rejected']);
      const { status } = await ground.statusOf(requestId);
      expect(status).toBe(approved.status === 'fulfilled' ? 'GENERATING' : 'CANCELLED');
    }
  });

  it('and a rejection at once, by two operators: one of them is what happened', async () => {
    for (let round = 0; round < 6; round += 1) {
      const requestId = await ground.waiting();
      const [approved, rejected] = await Promise.allSettled([
        ground.as('reviewer').approve.mutate({ requestId }),
        ground.as('reviewer2').reject.mutate({ requestId, codes: ['SELFIE_MISMATCH'] }),
      ]);
      expect([approved.status, rejected.status].sort()).toEqual(['fulfilled', 'rejected']);
      const decided = approved.status === 'fulfilled' ? 'GENERATING' : 'REFUSED';
      expect((await ground.statusOf(requestId)).status).toBe(decided);
      expect(await ground.auditOf(requestId)).toHaveLength(1);
    }
  });

  it('under the policy as it was when the review began, whatever the partner agrees to meanwhile', async () => {
    const requestId = await ground.waiting('other');
    await ground.setPolicy('other', 'automatic');
    const answer = await ground.as('reviewer').approve.mutate({ requestId });
    await ground.setPolicy('other', 'four-eyes');
    expect(answer).toMatchObject({ validationStatus: 'MANUALLY_VALIDATING', approvalsNeeded: 2 });
  });
});

describe('an operator who was disabled or demoted', () => {
  const change = (key: 'reviewer' | 'reviewer2', to: object) =>
    changeOperator(ground.intake.ground, operatorsById[key], to);
  const restore = (key: 'reviewer' | 'reviewer2') => change(key, { enabled: true, role: 'reviewer' });

  it.each([{ enabled: false }, { role: 'viewer' }])(
    'decides nothing with the token of before (%j)',
    async (set) => {
      const requestId = await ground.waiting();
      using _ = await ground.remembering('reviewer');
      await change('reviewer', set);
      const { approve, reject, requestCorrection, assign, evidence } = ground.as('reviewer');
      const codes = ['SELFIE_MISMATCH' as const];
      const tried = [
        () => approve.mutate({ requestId }),
        () => reject.mutate({ requestId, codes }),
        () => requestCorrection.mutate({ requestId, codes }),
        () => assign.mutate({ requestId }),
        () => evidence.mutate({ requestId, evidenceId: uuidv7() }),
      ];
      for (const decide of tried) await expect(decide()).rejects.toMatchObject(fault('FORBIDDEN'));
      await restore('reviewer');
      expect((await ground.statusOf(requestId)).validationStatus).toBe('MANUALLY_VALIDATING');
      expect(await ground.auditOf(requestId)).toEqual([]);
    },
  );

  it.each([
    ['re-enabled', 'reviewer', { enabled: false }, 'enabled = true'],
    ['promoted again', 'reviewer', { role: 'viewer' }, `role = 'reviewer'`],
    ['promoted further', 'reviewer2', {}, `role = 'admin'`],
  ] as const)('and %s in the database, past intake, decides nothing', async (_what, key, ended, forged) => {
    const requestId = await ground.waiting();
    await using own = await ownDatabase(ground.intake.ground);
    const id = operatorsById[key];
    const operator = {
      kind: 'operator',
      operatorId: id,
      email: `${key}@example.com`,
      role: 'admin',
    } as const;
    const stand = (role: 'reviewer' | 'admin') =>
      own.database.transaction((em) => assertCurrentRole(em, operator, role));
    await stand('reviewer');
    using _ = await ground.remembering(key);
    await changeOperator(ground.intake.ground, id, ended);
    const [before] = await own.database.execute<{ row: object }>(
      'select to_jsonb(operator) as row from operator where id = $1',
      [id],
    );
    await own.database.execute(`update operator set ${forged} where id = $1`, [id]);
    for (const role of ['reviewer', 'admin'] as const)
      await expect(stand(role)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(ground.as(key).approve.mutate({ requestId })).rejects.toMatchObject(fault('FORBIDDEN'));
    const restored = `update intake.operator set (enabled, role, version, mac) = (select enabled, role, version, mac
      from jsonb_populate_record(null::intake.operator, $2::jsonb)) where id = $1`;
    await ground.intake.query(restored, [id, JSON.stringify(before?.row)]);
    await restore(key);
    await stand('reviewer');
    expect((await ground.statusOf(requestId)).validationStatus).toBe('MANUALLY_VALIDATING');
  });

  it('counts for nothing under four eyes any more: another one has to approve instead', async () => {
    const requestId = await ground.waiting('other');
    await ground.as('reviewer').approve.mutate({ requestId });
    await change('reviewer', { enabled: false });
    expect(await ground.as('viewer').get.query({ requestId })).toMatchObject({
      approvals: 0,
      approvalLog: [{ operator: 'reviewer@example.com', counts: false }],
    });
    const second = await ground.as('reviewer2').approve.mutate({ requestId });
    expect(second).toMatchObject({ validationStatus: 'MANUALLY_VALIDATING', approvals: 1 });
    const third = await ground.as('admin').approve.mutate({ requestId });
    expect(third).toMatchObject({ status: 'GENERATING', approvals: 2 });
    await restore('reviewer');
  });
});

describe('a rejection', () => {
  it('refuses for good, and tells the partner what was found in the words of the catalogue alone', async () => {
    const requestId = await ground.waiting();
    const answer = await ground.as('reviewer').reject.mutate({
      requestId,
      codes: ['SELFIE_MISMATCH', 'DOCUMENT_ILLEGIBLE'],
      comment: 'the photograph is of another man',
    });
    expect(answer).toMatchObject({ status: 'REFUSED', validationStatus: 'REFUSED' });
    const message =
      'The review rejected the request: The selfie does not match the identity document; The identity document cannot be read';
    expect(await ground.eventsOf(requestId)).toEqual([{ type: 'request.refused', message }]);
    const record = await ground.statusOf(requestId);
    expect(record.observation).toMatchObject({ code: 'REVIEW_REJECTED', message });
    const { text } = record.observation ?? {};
    expect(text && renderText(text, 'es')).toBe(
      'La revisión rechazó la solicitud: La selfie no coincide con el documento de identidad; El documento de identidad no es legible',
    );
    expect(JSON.stringify(record)).not.toContain('another man');
    expect(await ground.auditOf(requestId)).toMatchObject([
      {
        action: 'reviews.reject',
        reason: 'the photograph is of another man',
        details: { codes: ['SELFIE_MISMATCH', 'DOCUMENT_ILLEGIBLE'] },
      },
    ]);
    const [row] = await ground.intake.query('select sealed_password from intake.request where id = $1', [
      requestId,
    ]);
    expect(row).toEqual({ sealed_password: null });
    await expect(ground.as('reviewer').approve.mutate({ requestId })).rejects.toMatchObject(
      fault('REQUEST_STATE_NOT_ALLOWED'),
    );
  });

  it('takes codes of the review alone', async () => {
    const requestId = await ground.waiting();
    for (const codes of [[], ['RATE_LIMITED']])
      await expect(ground.as('reviewer').reject.mutate({ requestId, codes } as never)).rejects.toMatchObject(
        fault('FIELD_INVALID'),
      );
  });
});

describe('a request for a correction', () => {
  it('names what is to be mended, and the approvals before it are void', async () => {
    const requestId = await ground.waiting('other');
    await ground.as('reviewer').approve.mutate({ requestId });
    const answer = await ground.as('reviewer2').requestCorrection.mutate({
      requestId,
      codes: ['FINGER_CODE_MISMATCH', 'DOCUMENT_ILLEGIBLE'],
    });
    expect(answer).toMatchObject({ status: 'ERROR', validationStatus: 'ERROR' });
    expect(await ground.statusOf(requestId, 'other')).toMatchObject({
      observation: { code: 'FINGER_CODE_MISMATCH' },
      correctableFields: ['fingerCode', 'evidences'],
    });
    expect((await ground.eventsOf(requestId)).map(({ type }) => type)).toEqual(['request.error']);
    const retry = {
      family: 'TV' as const,
      requestId,
      corrections: { fingerCode: 'E1234I5678' },
      faults: [],
      files: [],
    };
    await ground.partner('other').retry.mutate(retry);
    await pollFor(
      async () => (await ground.statusOf(requestId, 'other')).validationStatus === 'MANUALLY_VALIDATING',
    );
    const record = await ground.as('reviewer').get.query({ requestId });
    expect(record).toMatchObject({ approvals: 0, approvalLog: [{ validationAttempt: 1, counts: false }] });
    expect(await ground.as('reviewer2').approve.mutate({ requestId })).toMatchObject({
      validationStatus: 'MANUALLY_VALIDATING',
      approvals: 1,
    });
    await ground.as('reviewer').approve.mutate({ requestId });
    await until(requestId, 'GENERATING', 'other');
  });

  it('may name the fields itself, those of the family alone', async () => {
    const requestId = await ground.waiting();
    const correct = ground.as('reviewer').requestCorrection;
    const codes = ['NAME_MISMATCH' as const];
    await expect(
      correct.mutate({ requestId, codes, fields: ['applicantName', 'identificationSelfie'] }),
    ).rejects.toMatchObject({ data: { appCode: 'FIELD_INVALID', details: [{ field: 'fields[1]' }] } });
    await correct.mutate({ requestId, codes, fields: ['applicantName'] });
    expect((await ground.statusOf(requestId)).correctableFields).toEqual(['applicantName']);
  });
});

describe('a decision', () => {
  type Decide = (
    reviews: ReturnType<ReviewGround['as']>,
    input: { requestId: string; shownSha256: string },
  ) => Promise<unknown>;
  const decisions: readonly [string, Decide][] = [
    ['approval', (reviews, input) => reviews.approve.mutate(input)],
    ['rejection', (reviews, input) => reviews.reject.mutate({ ...input, codes: ['SELFIE_MISMATCH'] })],
    [
      'request for a correction',
      (reviews, input) => reviews.requestCorrection.mutate({ ...input, codes: ['SELFIE_MISMATCH'] }),
    ],
  ];
  const shown = async (requestId: string) =>
    (await ground.as('reviewer').get.query({ requestId })).shownSha256 ?? '';

  it.each(decisions)('on a request that was corrected meanwhile is refused: %s', async (_what, decide) => {
    const requestId = await ground.waiting();
    const shownSha256 = await shown(requestId);
    const codes = ['FINGER_CODE_MISMATCH' as const];
    await ground.as('reviewer2').requestCorrection.mutate({ requestId, codes });
    await ground.partner('sandbox').retry.mutate({
      family: 'TV',
      requestId,
      corrections: { fingerCode: 'E1234I5678' },
      faults: [],
    });
    await pollFor(async () => (await ground.statusOf(requestId)).validationStatus === 'MANUALLY_VALIDATING');
    const before = await ground.auditOf(requestId);
    await expect(decide(ground.as('reviewer'), { requestId, shownSha256 })).rejects.toMatchObject(
      fault('REVIEW_CHANGED'),
    );
    expect(await ground.auditOf(requestId)).toEqual(before);
    const present = await shown(requestId);
    expect(present).not.toBe(shownSha256);
    await decide(ground.as('reviewer'), { requestId, shownSha256: present });
    expect((await ground.statusOf(requestId)).validationStatus).not.toBe('MANUALLY_VALIDATING');
  });

  it.each([
    ['observations', `observations = '[{"type":"INFO","code":"SEEN","message":"Seen in person"}]'`],
    ['reason', `review_reason = 'POLICY'`],
  ])('on other %s than were shown is refused', async (_what, set) => {
    const requestId = await ground.waiting();
    const shownSha256 = await shown(requestId);
    await ground.intake.query(`update intake.request set ${set} where id = $1`, [requestId]);
    await expect(ground.as('reviewer').approve.mutate({ requestId, shownSha256 })).rejects.toMatchObject(
      fault('REVIEW_CHANGED'),
    );
  });

  it('of the second under four eyes rests on the same as that of the first', async () => {
    const requestId = await ground.waiting('other');
    const shownSha256 = await shown(requestId);
    await ground.as('reviewer').assign.mutate({ requestId });
    await ground.as('reviewer').approve.mutate({ requestId, shownSha256 });
    expect(await ground.as('reviewer2').approve.mutate({ requestId, shownSha256 })).toMatchObject({
      approvals: 2,
    });
  });

  it('needs no digest in this release, and viewers get none', async () => {
    const requestId = await ground.waiting();
    expect((await ground.as('viewer').get.query({ requestId })).shownSha256).toBeNull();
    await ground.as('reviewer').approve.mutate({ requestId });
  });
});

describe('with REVIEW_DIGESTS=required', () => {
  it('a decision without a digest is refused', async () => {
    await using strict = await reviewGround({ REVIEW_DIGESTS: 'required' });
    const requestId = await strict.waiting();
    const reviews = strict.as('reviewer');
    const codes = ['SELFIE_MISMATCH' as const];
    for (const decide of [
      () => reviews.approve.mutate({ requestId }),
      () => reviews.reject.mutate({ requestId, codes }),
      () => reviews.requestCorrection.mutate({ requestId, codes }),
    ])
      await expect(decide()).rejects.toMatchObject(fault('FIELD_REQUIRED'));
    const { shownSha256 } = await reviews.get.query({ requestId });
    await reviews.approve.mutate({ requestId, shownSha256: shownSha256 ?? '' });
  });
});

describe('a viewer', () => {
  it('decides nothing', async () => {
    const requestId = await ground.waiting();
    const viewer = ground.as('viewer');
    const codes = ['SELFIE_MISMATCH' as const];
    const tried = [
      viewer.assign.mutate({ requestId }),
      viewer.approve.mutate({ requestId }),
      viewer.reject.mutate({ requestId, codes }),
      viewer.requestCorrection.mutate({ requestId, codes }),
      viewer.evidence.mutate({ requestId, evidenceId: requestId }),
    ];
    await Promise.all(tried.map((refused) => expect(refused).rejects.toMatchObject(fault('FORBIDDEN'))));
    expect(await ground.auditOf(requestId)).toEqual([]);
  });
});
