import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useSessionAnswer, useSessionChanged } from '../../client/session.tsx';
import { call, type InputOf } from '../../client/trpc.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/states.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { bilingual, useTexts } from '../../texts/texts.ts';
import { Frame } from './frame.tsx';
import styles from './sign-in.module.css';

const texts = bilingual({
  en: {
    title: 'Sign in',
    about: 'For operators of this certification authority.',
    email: 'E-mail',
    password: 'Password',
    signIn: 'Sign in',
    working: 'Signing in…',
    organisation: 'With the account of your organisation',
  },
  es: {
    title: 'Iniciar sesión',
    about: 'Para operadores de esta autoridad de certificación.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    signIn: 'Ingresar',
    working: 'Ingresando…',
    organisation: 'Con la cuenta de su organización',
  },
});

export default function SignInPage() {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const changed = useSessionChanged();
  const { data: session } = useSessionAnswer();
  const isOpenIdOffered = session?.signedIn === false && session.isOpenIdOffered;
  const signIn = useMutation({
    mutationFn: (input: InputOf<'auth.signIn'>) => call('auth.signIn', input),
    onSuccess: changed,
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) });
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
        {signIn.isError && <Notice tone="bad">{failureText(signIn.error)}</Notice>}
        <Button type="submit" tone="primary" aria-disabled={signIn.isPending}>
          {signIn.isPending ? t.working : t.signIn}
        </Button>
      </form>
      {isOpenIdOffered && (
        <a className={styles.other} href="/auth/oidc/start">
          {t.organisation}
        </a>
      )}
    </Frame>
  );
}
