import { AppError } from '@rubrica/process/errors';
import { createClaimClient, disposeAfterAll } from '@rubrica/testkit';
import { beforeEach, expect, test } from 'vitest';
import { buildFileName, formatAttachment } from '../src/claim/file-name.ts';
import { claimView, createFakeClaim, issued, p12 } from './support/fake-claims.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

const gateway = await disposeAfterAll(testGateway());

beforeEach(() => {
  const { token: _token, ...fresh } = createFakeClaim();
  Object.assign(gateway.state.claim, fresh);
});

const termsId = '0197a000-0000-7000-8000-0000000000cc';
const password = 'Una clave con & "cosas"';
function claim() {
  return gateway.state.claim;
}

function link(below = '') {
  return `${gateway.url}/claim/${claim().token}${below}`;
}

const html = { accept: 'text/html' };

interface Sent {
  readonly below?: string;
  readonly headers?: Record<string, string>;
}
function send(fields: Record<string, string>, { below = '', headers = html }: Sent = {}) {
  return fetch(link(below), {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
}
function whole(overrides: Record<string, string> = {}) {
  return {
    code: '048213',
    password,
    passwordConfirmation: password,
    acceptTerms: 'true',
    termsId,
    ...overrides,
  };
}

test('a program that knows the interface’s forms alone, and keeps no cookies, gets from the link to the file', async () => {
  const applicant = createClaimClient({ link: link() });
  const first = await applicant.open();
  expect(first.status).toBe(200);
  expect(first.html).toContain('MARÍA JOSÉ ÑÚÑEZ &lt;PAZMIÑO&gt;');
  expect(first.forms.map(({ action }) => action)).toEqual([`/claim/${claim().token}/code`]);

  const sent = await applicant.sendCode();
  expect([sent.status, new URL(sent.url).pathname]).toEqual([200, `/claim/${claim().token}/code`]);
  expect(sent.html).toContain('Lo enviamos por mensaje de texto al');

  const progress = await applicant.claim({ code: '048 213', password });
  expect(progress.html).toContain('<noscript><meta http-equiv="refresh"');
  expect(progress.forms).toEqual([]);
  const [claimed] = claim().claimed;
  expect(claimed).toMatchObject({ code: '048213', termsId, language: 'es', remoteAddress: '127.0.0.1' });
  expect(
    await gateway.keyrings.generation.openText(claimed?.password ?? '', {
      purpose: 'certificate-password',
      owner: claim().view.requestId,
    }),
  ).toBe(password);

  claim().view = claimView(issued());
  await applicant.awaitDownload();
  await applicant.sendCode();
  expect(await applicant.download('048213')).toEqual(p12);
});

test('the file comes as an attachment that is not cached, and its password never', async () => {
  claim().view = claimView(issued());
  claim().code = '111111';
  const answer = await send({ code: '111111' }, { below: '/download' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-pkcs12');
  expect(answer.headers.get('content-disposition')).toBe(
    formatAttachment(buildFileName(claim().view, { language: 'es', timeZone: 'America/Guayaquil' })),
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(p12);
});

test('opening the link changes nothing, however often and by any scanner', async () => {
  for (const method of ['GET', 'HEAD'])
    for (let index = 0; index < 20; index += 1) {
      for (const below of ['', '/not-me', '/wrong-data', '/code', '/check', '/password', '/download']) {
        const answer = await fetch(link(below), { method, headers: html, redirect: 'manual' });
        expect([below, answer.status]).toEqual([
          below,
          ['', '/not-me', '/wrong-data'].includes(below) ? 200 : 303,
        ]);
      }
    }
  expect(new Set(claim().calls)).toEqual(new Set(['view']));
});

test('a page allows its own style and script and nothing else, is not cached and does not leak the link', async () => {
  const { headers, text } = await call(link(), { headers: html });
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/ style="|https?:\/\//);
});

test('what was changed is answered by 303, so that a reload sends nothing twice', async () => {
  const sent = await send({}, { below: '/code?lang=en' });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/claim/${claim().token}/code?lang=en`]);
  expect(claim().languages).toEqual(['en']);
  const claimed = await send(whole());
  expect([claimed.status, claimed.headers.get('location')]).toEqual([303, `/claim/${claim().token}`]);
  // The answer got lost and the applicant sends the form again.
  expect((await send(whole())).status).toBe(303);
  expect(claim().claimed).toHaveLength(1);
});

test('a client that knows the four fields alone accepts the active terms', async () => {
  await send({}, { below: '/code' });
  const { termsId: _hidden, ...four } = whole();
  expect((await send({ ...four, acceptTerms: 'on' })).status).toBe(303);
  expect(claim().claimed[0]?.termsId).toBe(termsId);
});

test.each([
  ['es', 'Todavía no está listo', 'su enlace sigue valiendo'],
  ['en', 'It is not ready yet', 'your link stays good'],
])(
  'where the type has no terms the page says in %s that it is not ready yet',
  async (language, title, text) => {
    claim().view = claimView({ certificateType: 'TRANSACTIONAL_SIGNATURE' });
    const page = await call(`${link()}?lang=${language}`, { headers: html });
    expect(page.status).toBe(412);
    expect(page.text).toContain(`<h1 tabindex="-1">${title}</h1>`);
    expect(page.text).toContain(text);
    expect(page.text).not.toContain('<form method="post"');
    expect(page.text).not.toContain('class="button');
  },
);

test('where the type has no terms nothing is claimed, whatever is sent, and no code goes out', async () => {
  claim().view = claimView({ certificateType: 'TRANSACTIONAL_SIGNATURE' });
  const { termsId: _id, acceptTerms: _accept, ...rest } = whole();
  const program = { accept: 'application/json' };
  for (const fields of [whole(), rest, { ...rest, acceptTerms: 'true' }]) {
    const answer = await send(fields, { headers: program });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      412,
      'NO_ACTIVE_TERMS',
    ]);
  }
  const opened = await call(link(), { headers: program });
  expect([opened.status, opened.error().code]).toEqual([412, 'NO_ACTIVE_TERMS']);
  const code = await send({}, { below: '/code' });
  expect([code.status, await code.text()]).toEqual([412, expect.stringContaining('Todavía no está listo')]);
  expect([claim().claimed, claim().languages]).toEqual([[], []]);
});

test.each([
  ['12345678', 'está entre las más usadas', 'it is among the most used ones'],
  ['qwertyuiop', 'está entre las más usadas', 'it is among the most used ones'],
  ['zxcvbnm,./', 'son teclas vecinas', 'its keys lie side by side'],
  ['ecuatoriana', 'es poco más que una palabra conocida', 'it is little more than a known word'],
  ['ecuador2026', 'es poco más que una palabra conocida', 'it is little more than a known word'],
  ['quishpe1', 'es un nombre', 'it is a name'],
  ['31/12/1990', 'es una fecha o un año', 'it is a date or a year'],
  ['abababab', 'repite lo mismo', 'it repeats itself'],
  ['lunesmartes', 'es una serie', 'it is a series'],
  ['1710034065', 'contiene datos suyos', 'it holds data of yours'],
  ['0991234567', 'contiene datos suyos', 'it holds data of yours'],
  ['nunez1710', 'contiene datos suyos', 'it holds data of yours'],
  ['MARIAJOSE1', 'contiene datos suyos', 'it holds data of yours'],
])(
  'the password %s is refused, and the page says why in its own language',
  async (weak, spanish, english) => {
    await send({}, { below: '/code' });
    for (const [language, text] of [
      ['es', spanish],
      ['en', english],
    ] as const) {
      const answer = await send(whole({ password: weak, passwordConfirmation: weak }), {
        below: `?lang=${language}`,
      });
      const page = await answer.text();
      expect([answer.status, page]).toEqual([400, expect.stringContaining(text)]);
      expect(page).toMatch(new RegExp(`id="password-fault">[^<]*${text}`));
      expect(page).not.toContain(`value="${weak}"`);
      // The code was not tried, and is still good.
      expect(page).toContain('value="048213"');
    }
    expect(claim().calls).not.toContain('claim');
  },
);

test('a password is compared with what is known of the applicant only by whoever has the code', async () => {
  await send({}, { below: '/code' });
  const guess = { password: '1710034065', passwordConfirmation: '1710034065' };
  const program = { accept: 'application/json' };
  const guessed = await send(whole({ ...guess, code: '000000' }), { headers: program });
  expect([guessed.status, await guessed.text()]).toEqual([400, expect.stringContaining('OTP_INVALID')]);
  expect(claim().calls).not.toContain('ownData');
  const owner = await send(whole(guess), { headers: program });
  expect(await owner.text()).toContain('it holds the applicant');
});

test('a password is screened once nothing else is at fault, and programs are told in English', async () => {
  const weak = { password: '12345678', passwordConfirmation: '12345678' };
  const faultsOf = async (fields: Record<string, string>) => {
    const answer = await send(whole({ ...weak, ...fields }), { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as {
      errors: { code: string; field: string; message: string }[];
    };
    return errors.map(({ code, field, message }) => `${code} ${field} ${message}`);
  };
  expect(await faultsOf({ code: '', acceptTerms: '' })).toMatchObject([
    expect.stringContaining('FIELD_REQUIRED code '),
    expect.stringContaining('TERMS_NOT_ACCEPTED acceptTerms '),
  ]);
  expect(await faultsOf({ passwordConfirmation: '' })).toMatchObject([
    expect.stringContaining('FIELD_REQUIRED passwordConfirmation '),
  ]);
  expect(claim().calls).not.toContain('ownData');
  await send({}, { below: '/code' });
  expect(await faultsOf({})).toEqual([
    'FIELD_INVALID password password is too easy to guess: it is among the most used passwords',
  ]);
  expect(claim().calls).toContain('ownData');
  expect(claim().calls).not.toContain('claim');
});

test.each([
  ['es', 'ERROR', 'La emisión de su certificado se detuvo', 'Banco de Pruebas', false],
  ['en', 'ERROR', 'The issuance of your certificate has stopped', 'Banco de Pruebas', false],
  ['es', 'REVIEW', 'Estamos revisando sus datos', 'Puede tardar', true],
  ['en', 'REVIEW', 'We are checking your data', 'may take', true],
] as const)(
  'a request that waits says so and what comes next: %s %s',
  async (language, obstacle, title, lead, isWatched) => {
    claim().view = claimView({ state: 'IN_PROGRESS', obstacle });
    const page = await fetch(`${gateway.url}/claim/${claim().token}?lang=${language}`, { headers: html });
    const text = await page.text();
    expect(text).toContain(`${title}</h1>`);
    expect(text).toContain(lead);
    expect(text).toContain('mailto:firmas@banco.example');
    expect(text).not.toMatch(/menos de un minuto|less than a minute/);
    expect(text.includes('data-progress="')).toBe(isWatched);
    expect(text.includes('http-equiv="refresh"')).toBe(isWatched);
  },
);

test('what is nobody’s link costs no screening, and a repeat after the claim is not screened again', async () => {
  const answer = await fetch(`${gateway.url}/claim/${'A'.repeat(43)}`, {
    method: 'POST',
    headers: html,
    body: new URLSearchParams(whole({ password: '12345678', passwordConfirmation: '12345678' })),
  });
  expect(answer.status).toBe(404);
  claim().view = claimView({ state: 'IN_PROGRESS' });
  const repeat = whole({ password: '12345678', passwordConfirmation: '12345678' });
  expect((await send(repeat)).status).toBe(303);
});

test.each([
  ['no code', { code: '' }, 400, 'code', 'Escriba el código que le enviamos.'],
  ['five digits', { code: '12345' }, 400, 'code', 'El código tiene seis cifras.'],
  ['a short password', { password: 'short' }, 400, 'password', 'La contraseña debe tener'],
  ['a long password', { password: 'x'.repeat(65) }, 400, 'password', 'La contraseña debe tener'],
  ['a control character', { password: 'abcdefgh\u0007' }, 400, 'password', 'La contraseña debe tener'],
  ['a password with ñ', { password: 'el ñandú corre' }, 400, 'password', 'La contraseña debe tener'],
  ['a sign beyond ASCII', { password: 'cien euros son 100 €' }, 400, 'password', 'La contraseña debe tener'],
  [
    'another confirmation',
    { passwordConfirmation: 'other' },
    400,
    'passwordConfirmation',
    'Las dos contraseñas no son iguales.',
  ],
  ['no confirmation', { passwordConfirmation: '' }, 400, 'passwordConfirmation', 'Repita la contraseña.'],
  ['terms not accepted', { acceptTerms: '' }, 412, 'acceptTerms', 'Acepte los términos'],
  [
    'an answer to the terms that is no yes',
    { acceptTerms: 'perhaps' },
    412,
    'acceptTerms',
    'Acepte los términos',
  ],
  ['a wrong code', { code: '999999' }, 400, 'code', 'El código no es correcto.'],
] as const)('%s comes back beside its field', async (_what, change, status, field, text) => {
  await send({}, { below: '/code' });
  const answer = await send(whole(change));
  const page = await answer.text();
  expect(answer.status).toBe(status);
  expect(page).toContain(`<a href="#${field}">${text}`);
  const input = [...page.matchAll(/<input [^>]*>/g)].map(String).find((one) => one.includes(`id="${field}"`));
  expect(input).toContain('aria-invalid="true"');
  expect(input).toMatch(new RegExp(`aria-describedby="[^"]*${field}-fault`));
  expect(page).toMatch(new RegExp(`id="${field}-fault">[^<]*${text.slice(0, 20)}`));
  expect(page).not.toContain('Una clave con');
  expect(page.includes(' checked')).toBe(field !== 'acceptTerms');
  expect(page.includes('value="048213"')).toBe(field !== 'code');
  if (field === 'code') expect(input).toContain('value=""');
  expect(claim().claimed).toEqual([]);
});

test('faults of 400 and 412 are shown together, under 400', async () => {
  const answer = await send(whole({ code: 'x', acceptTerms: '', password: '' }), {
    headers: { accept: 'application/json' },
  });
  expect(answer.status).toBe(400);
  const { errors, path } = (await answer.json()) as {
    errors: { code: string; field: string }[];
    path: string;
  };
  expect(errors.map(({ code, field }) => `${code} ${field}`)).toEqual([
    'FIELD_INVALID code',
    'FIELD_REQUIRED password',
    'TERMS_NOT_ACCEPTED acceptTerms',
  ]);
  expect(path).toBe('/claim/{token}');
});

test.each([
  ['OTP_EXPIRED', 409, 'Ese código ya no vale'],
  ['OTP_ATTEMPTS_EXCEEDED', 429, 'Se probaron demasiados códigos'],
  ['TERMS_OUTDATED', 412, 'Los términos cambiaron'],
  ['REQUEST_STATE_NOT_ALLOWED', 409, 'Ese paso ya no es posible'],
] as const)('%s of intake is shown on the form', async (code, status, text) => {
  await send({}, { below: '/code' });
  claim().failures.claim = [new AppError({ code, retryAfterSeconds: 125 })];
  const answer = await send(whole());
  expect(answer.status).toBe(status);
  const page = await answer.text();
  expect(page).toContain(text);
  expect(answer.headers.get('retry-after')).toBe(status === 429 ? '125' : null);
  expect(page.includes('Espere 3 minutos')).toBe(status === 429);
});

test('a code asked for too soon says when, to people and to programs', async () => {
  claim().failures.sendCode = [new AppError({ code: 'RATE_LIMITED', retryAfterSeconds: 42 })];
  const answer = await send({}, { below: '/code' });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '42']);
  expect(await answer.text()).toContain('Espere 42 segundos');
});

test('a wrong code at the download is shown there, and no file is asked for', async () => {
  claim().view = claimView(issued());
  await send({}, { below: '/code' });
  const answer = await send({ code: '999999' }, { below: '/download' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('El código no es correcto.');
  expect(claim().calls).not.toContain('release');
});

test('the file for older programs is neither shown nor given where the partner does not allow it', async () => {
  claim().view = claimView(issued());
  await send({}, { below: '/code' });
  const page = await (await fetch(link('/code'), { headers: html })).text();
  expect(page).toContain('Descargar certificado');
  expect(page).not.toContain('encoding');
  const answer = await send({ code: '048213', encoding: 'legacy' }, { below: '/download' });
  expect(answer.status).toBe(409);
  expect(claim().calls).not.toContain('openDownload');
});

test.each([
  ['es', 'Descargar para programas antiguos', 'un cifrado más débil'],
  ['en', 'Download for older programs', 'weaker encryption'],
])(
  'where the partner allows it both files are offered, in %s, with what the older one costs',
  async (language, button, warning) => {
    claim().view = claimView({ ...issued(), offersLegacyFile: true });
    for (const [encoding, asked] of [
      ['legacy', 'legacy'],
      ['modern', 'modern'],
      ['', undefined],
    ] as const) {
      await send({}, { below: '/code' });
      const page = await (await fetch(link(`/code?lang=${language}`), { headers: html })).text();
      expect(page).toContain(button);
      expect(page).toContain(warning);
      const answer = await send({ code: '048213', encoding }, { below: '/download' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-pkcs12']);
      expect(claim().encodings.at(-1)).toBe(asked);
    }
  },
);

test('a file of any other encoding is 400, in the language of the program, and costs no code', async () => {
  claim().view = claimView({ ...issued(), offersLegacyFile: true });
  await send({}, { below: '/code' });
  const headers = { accept: 'application/json', 'accept-language': 'es' };
  const answer = await send({ code: '048213', encoding: 'pem' }, { below: '/download', headers });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    errors: [{ field: 'encoding', message: 'encoding debe ser modern o legacy' }],
  });
  expect(claim().calls).not.toContain('openDownload');
});

test.each([
  ['a token of another form', '/claim/short', 404, 'Este enlace no es válido'],
  ['a token that nobody was given', `/claim/${'A'.repeat(43)}`, 404, 'Este enlace no es válido'],
  ['a token beyond all measure', `/claim/${'A'.repeat(300)}`, 404, 'Este enlace|Esta página'],
  ['an address that is no URL', '/claim/%E0%A4%A', 400, 'No se pudo hacer'],
  ['an address below', `/claim/${'A'.repeat(43)}/x`, 404, 'Esta página no existe'],
])('%s is a page in both languages, and an error object for programs', async (_what, path, status, text) => {
  const page = await call(gateway.url + path, { headers: html });
  expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page.text).toMatch(new RegExp(text));
  const english = await call(`${gateway.url}${path}?lang=en`, { headers: html });
  expect(english.text).toContain('<html lang="en">');
  const program = await call(gateway.url + path, { headers: { accept: 'application/json' } });
  expect(program.error().path).toMatch(/^\/claim\/\{token\}/);
});

test('a link whose time is over, one that ended and a service that is away are pages', async () => {
  claim().failures.view = [new AppError({ code: 'CLAIM_LINK_EXPIRED' })];
  const expired = await call(link(), { headers: html });
  expect([expired.status, expired.text]).toEqual([409, expect.stringContaining('Este enlace ha caducado')]);
  claim().view = claimView({ state: 'ENDED' });
  expect((await call(link(), { headers: html })).text).toContain('Esta solicitud terminó');
  claim().view = claimView({ ...issued(), state: 'DOWNLOAD_ENDED' });
  expect((await call(link(), { headers: html })).text).toContain('La descarga ya terminó');
  claim().failures.view = [new AppError({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 7 })];
  const away = await call(link(), { headers: { ...html, 'accept-language': 'en-US' } });
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '7']);
  expect(away.text).toContain('Come back in a moment');
});

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
  [{ origin: 'http://gateway.localhost' }, 303],
  [{ origin: 'null' }, 303],
])('a form with %j is answered %i', async (headers, status) => {
  const answer = await send({}, { below: '/code', headers: { ...html, ...headers } });
  expect(answer.status).toBe(status);
  expect(claim().calls.includes('sendCode')).toBe(status === 303);
});

test('hostile bodies are answered in the 400s and reach no service', async () => {
  const form = 'application/x-www-form-urlencoded';
  const bodies: [string, string | Uint8Array][] = [
    [form, ''],
    [form, '=&&&==&%%%'],
    [form, 'password=a&password=b&code[]=1&code=1'],
    [form, `password=${'x'.repeat(20_000)}`],
    [form, 'code=%00%00&password=%FF%FE%FFaaaaaaa&passwordConfirmation=%FF%FE%FFaaaaaaa&termsId=%27;--'],
    [form, Buffer.from([0xff, 0xfe, 0x00])],
    [form, '__proto__=1&constructor=2&toString=3&acceptTerms=__proto__'],
    [form, Array.from({ length: 80 }, (_, index) => `a${index}=1`).join('&')],
    ['application/json', '{"code":{"a":1},"password":[1],"acceptTerms":{}}'],
    ['application/json', '{"__proto__":{"password":"12345678"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain', 'code=1'],
  ];
  for (const [type, body] of bodies)
    for (const below of ['', '/check', '/password', '/download']) {
      const answer = await fetch(link(below), {
        method: 'POST',
        headers: { 'content-type': type, ...html },
        body: body as string,
      });
      expect([answer.status >= 400 && answer.status < 500, type, String(body)]).toEqual([
        true,
        type,
        String(body),
      ]);
      expect(answer.headers.get('content-type')).toContain('text/html');
    }
  expect(claim().calls).not.toContain('claim');
  expect(claim().calls).not.toContain('openDownload');
});

test('the token, the code and the password are in no log line', async () => {
  claim().failures.view = [new Error('unexpected'), new AppError({ code: 'SERVICE_UNAVAILABLE' })];
  await call(link(), { headers: html });
  await call(link(), { headers: html });
  await call(link('/nowhere'), { headers: html });
  await send({}, { below: '/code' });
  await send(whole());
  const lines = gateway.lines.join('');
  expect(lines).toContain('/claim/:token');
  for (const secret of [claim().token, '048213', 'Contraseña con']) expect(lines).not.toContain(secret);
});

test('one address may look so often, then it is told to wait, in words', async () => {
  await using limited = await testGateway({ RATE_LIMIT_ADDRESS: '2' });
  const address = `${limited.url}/claim/${limited.state.claim.token}`;
  const answers = [];
  for (let index = 0; index < 3; index += 1) answers.push(await call(address, { headers: html }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answers[2]?.text).toContain('Demasiadas visitas');
  expect((await call(address, { headers: { accept: 'application/json' } })).error().code).toBe(
    'RATE_LIMITED',
  );
});

test('terms that the page never showed cannot be accepted', async () => {
  const answer = await send(whole({ termsId: 'other' }));
  expect(answer.status).toBe(412);
  expect(await answer.text()).toContain('Los términos cambiaron');
});
