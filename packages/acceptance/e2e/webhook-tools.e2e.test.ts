import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listenAsPartner } from './support/listen.ts';
import { openPkcs12 } from './support/pkcs12.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());

type VerifyWebhook = (call: {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  secrets: readonly string[];
}) => { id: string; event: unknown };

/** As a partner would: downloaded from the documentation, put beside its own code. */
async function downloadExample(): Promise<VerifyWebhook> {
  const response = await fetch(`${scene.stack.info().baseUrl}/docs/verify-webhook.ts`);
  const folder = await mkdtemp(join(scene.folder, 'partner-'));
  const file = join(folder, 'verify-webhook.ts');
  await writeFile(file, await response.text());
  return (await import(file)).verifyWebhook;
}

describe('what partners are given for their webhooks', () => {
  it('verifies a real call with the example of the documentation, and no other', async () => {
    const verifyWebhook = await downloadExample();
    const { sandbox } = scene.partners;
    const { reference } = await sandbox.accepted();
    const { id, headers, raw, body } = await sandbox.hears(reference, 'certificate.issued');
    const { webhookSecret } = scene.stack.info().partners.sandbox;
    const call = { headers, body: Buffer.from(raw), secrets: [webhookSecret] };
    expect(verifyWebhook(call)).toEqual({ id, event: body });
    expect(() => verifyWebhook({ ...call, body: Buffer.from(`${raw} `) })).toThrow('none of the signatures');
    const { webhookSecret: other } = scene.stack.info().partners.other;
    expect(() => verifyWebhook({ ...call, secrets: [other] })).toThrow('none of the signatures');
  });

  it('shows a request from its registration to the certificate file, refused calls repeated', async () => {
    const folder = join(scene.folder, 'certificates');
    const options = ['--register', '--show-secrets', '--answer', '500,204', '--save', folder];
    const calls = await listenAsPartner(scene.stack.home, options, { calls: 2 });
    const [first, second] = calls;
    expect(calls.map(({ id, attempt, answer }) => [id, attempt, answer.status])).toEqual([
      [first?.id, 1, 500],
      [first?.id, 2, 204],
    ]);
    for (const { event, signature } of calls) {
      expect(event).toBe('certificate.issued');
      expect(signature).toEqual({ valid: true, version: 'v1', secret: 'partner sandbox' });
    }
    const file = await readFile(second?.saved?.path ?? '', 'base64');
    const { leaf } = await openPkcs12(scene.folder, file, second?.body.password ?? '');
    expect(leaf.serialNumber).toBe(second?.body.serialNumber);
  });
});
