import { disposeAfterAll } from '@rubrica/testkit';
import { openBrowser } from '@rubrica/testkit/browser';
import { afterEach, describe, expect, it } from 'vitest';
import { createConsoleClient } from './support/console-client.ts';
import { visitConsole } from './support/console-visitor.ts';
import { invitedAdministrator } from './support/invited-administrator.ts';
import { operatorActor } from './support/operator-actor.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const scene = await closeAfterAll(joinScene());
const browser = await disposeAfterAll(openBrowser());

afterEach(({ task }) => browser.closePages(task));

const createConsole = (language: 'en' | 'es') => createConsoleClient(scene.stack.info(), { language });

const unknownPasskey = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
};

describe('a refusal through console and gateway is in the language that is asked for', () => {
  it.each([
    ['es', 'El correo o la contraseña no es correcto'],
    ['en', 'The e-mail or the password is not correct'],
  ] as const)('of a sign-in, in %s', async (language, message) => {
    const wrong = { email: 'nobody@firmas.example', password: 'not the password' };
    expect(await createConsole(language).refusal('auth.signIn', wrong)).toMatchObject({
      message,
      data: { appCode: 'UNAUTHENTICATED', details: [] },
    });
  });

  it.each([
    ['es', 'No se pudo ingresar con la llave de acceso: intente de nuevo o ingrese de otra forma'],
    ['en', 'The passkey could not sign you in: try again, or sign in another way'],
  ] as const)('of a passkey, in %s', async (language, message) => {
    const response = unknownPasskey;
    expect(await createConsole(language).refusal('auth.passkeySignIn', { response })).toMatchObject({
      message,
      data: { appCode: 'UNAUTHENTICATED' },
    });
  });

  it.each([
    ['es', 'Usted mismo propuso este cambio: otro administrador debe aprobarlo'],
    ['en', 'You have proposed this change yourself: another administrator has to approve it'],
  ] as const)('of an approval, in %s', async (language, message) => {
    const console = createConsole(language);
    await console.signIn('admin');
    const email = `${crypto.randomUUID()}@firmas.example`;
    const { result } = await console.call('operators.invite', { email, role: 'admin', language: 'es' });
    const { approvalId: id } = (result ?? { data: {} }).data as { readonly approvalId?: string };
    expect(await console.refusal('approvals.approve', { id })).toMatchObject({
      message,
      data: { appCode: 'FORBIDDEN' },
    });
    await console.call('approvals.reject', { id });
    expect((await console.refusal('approvals.reject', { id })).message).toBe(
      language === 'es'
        ? 'No hay tal cambio pendiente: ya se decidió o su plazo terminó'
        : 'No such change waits: it was decided, or its time is over',
    );
  });

  it('of a role', async () => {
    const console = createConsole('es');
    await console.signIn('viewer');
    const input = { name: 'x', email: 'x@partners.rubrica.test' };
    expect((await console.refusal('partners.create', input)).message).toBe(
      'Esto requiere el rol "admin"; el suyo es "viewer"',
    );
  });

  it.each([
    ['es', 'Un campo tiene un valor no válido', 'no debe estar vacío', 'no es un campo conocido aquí'],
    ['en', 'A field has an invalid value', 'must not be empty', 'is not a known field here'],
  ] as const)('of an input, in %s', async (language, message, empty, unknown) => {
    const console = createConsole(language);
    await console.signIn('admin');
    const input = { name: '', email: 'x@partners.rubrica.test', colour: 'red' };
    const { data, ...refusal } = await console.refusal('partners.create', input);
    expect(refusal.message).toBe(message);
    expect(data.details.map(({ field, message: text }) => [field, text])).toEqual(
      expect.arrayContaining([
        ['name', empty],
        ['colour', unknown],
      ]),
    );
    expect(JSON.stringify(data)).not.toContain('"facts"');
  });
});

it('a page shows a refusal once, and in the language that is chosen', async () => {
  const info = await invitedAdministrator(scene.stack.info());
  const { page, open } = await visitConsole(browser, info, { language: 'es' });
  await open('/');
  await page.fill('input[type=email]', info.operators.admin.email);
  await page.fill('input[type=password]', 'not the password');
  await page.click('button[type=submit]');
  const refusal = page.getByText('El correo o la contraseña no es correcto', { exact: true });
  await refusal.waitFor();
  expect(await page.getByText('is not correct').count()).toBe(0);
  const admin = await operatorActor(scene.stack.info(), 'admin');
  const actor = await operatorActor(info, 'admin');
  const { operator } = await actor.call('auth.sessions', {});
  await admin.call('operators.disable', { operatorId: operator.operatorId });
});
