import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useReloadSession, useSessionAnswer } from '../../client/session.tsx';
import { callProcedure, type ProcedureInput } from '../../client/trpc.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/query-result.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { Frame } from './frame.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import styles from './sign-in.module.css';

const texts = createBilingual({
  en: {
    title: 'Sign in',
    about: 'For operators of this certification authority.',
    email: 'E-mail',
    password: 'Password',
    code: 'One-time code',
    codeHint: 'Of your authenticator, or a recovery code.',
    passkeyDue: 'The password is right. Go on with your passkey.',
    signIn: 'Sign in',
    working: 'Signing in…',
    organisation: 'With the account of your organisation',
  },
  es: {
    title: 'Iniciar sesión',
    about: 'Para operadores de esta autoridad de certificación.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    code: 'Código de un solo uso',
    codeHint: 'El de su autenticador, o un código de recuperación.',
    passkeyDue: 'La contraseña es correcta. Continúe con su llave de acceso.',
    signIn: 'Ingresar',
    working: 'Ingresando…',
    organisation: 'Con la cuenta de su organización',
  },
});

export default function SignInPage() {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const changed = useReloadSession();
  const { data: session } = useSessionAnswer();
  const isOpenIdOffered = session?.signedIn === false && session.isOpenIdOffered;
  const [challenge, setChallenge] = useState<unknown>();
  const signIn = useMutation({
    mutationFn: (input: ProcedureInput<'auth.signIn'>) => callProcedure('auth.signIn', input),
    onSuccess: async (output) => {
      // The password is correct, and a second factor is required.
      if ('challenge' in output) setChallenge(output.challenge);
      else await changed();
    },
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const code = String(form.get('code') ?? '').trim();
    const password = { email: String(form.get('email')), password: String(form.get('password')) };
    signIn.mutate({ ...password, ...(code === '' ? {} : { code }) });
  };
  return (
    <Frame title={t.title} about={t.about}>
      <form className={styles.form} onSubmit={onSubmit}>
        <TextField label={t.email} name="email" type="email" autoComplete="username" required autoFocus />
        <TextField
          label={t.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {challenge === 'code' && (
          <TextField
            label={t.code}
            hint={t.codeHint}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
          />
        )}
        {signIn.isError && <Notice tone="bad">{failureText(signIn.error)}</Notice>}
        {challenge === 'passkey' && <Notice>{t.passkeyDue}</Notice>}
        <Button type="submit" tone="primary" aria-disabled={signIn.isPending}>
          {signIn.isPending ? t.working : t.signIn}
        </Button>
      </form>
      <PasskeySignIn onSignedIn={changed} />
      {isOpenIdOffered && (
        <a className={styles.other} href="/auth/oidc/start">
          {t.organisation}
        </a>
      )}
    </Frame>
  );
}
