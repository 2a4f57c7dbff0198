import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callProcedure } from '../../client/trpc.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Loading, Notice } from '../../parts/query-result.tsx';
import { useFailureText } from '../../texts/failures.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import { Frame } from '../sign-in/frame.tsx';
import styles from '../sign-in/sign-in.module.css';

const texts = createBilingual({
  en: {
    title: 'Your account',
    invite: 'You were invited as an operator. Choose a password.',
    reset: 'An administrator has reset your account. Choose a new password.',
    breakGlass: 'A session of an hour, to invite and enable administrators. Everybody is told of it.',
    until: 'The link opens until',
    password: 'New password',
    hint: '12 characters or more. A sentence of a few words is good.',
    repeat: 'The same once more',
    differs: 'The two passwords differ',
    go: 'Go on',
    ended: 'This link opens nothing any more. Ask an administrator for another one.',
    signIn: 'Go to the sign-in',
  },
  es: {
    title: 'Su cuenta',
    invite: 'Le invitaron como operador. Elija una contraseña.',
    reset: 'Un administrador restableció su cuenta. Elija una contraseña nueva.',
    breakGlass: 'Una sesión de una hora para invitar y habilitar administradores. Se avisa a todos.',
    until: 'El enlace abre hasta',
    password: 'Contraseña nueva',
    hint: '12 caracteres o más. Sirve una frase de pocas palabras.',
    repeat: 'La misma otra vez',
    differs: 'Las dos contraseñas son distintas',
    go: 'Continuar',
    ended: 'Este enlace ya no abre nada. Pida otro a un administrador.',
    signIn: 'Ir al ingreso',
  },
});

/** Renders the page of an invitation link. The part after `#` is never sent to a server. */
export default function InvitationPage() {
  const t = useTexts(texts);
  const [token] = useState(() => location.hash.slice(1));
  const invitation = useQuery({
    queryKey: ['auth.readInvitation', token],
    queryFn: () => callProcedure('auth.readInvitation', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { data } = invitation;
  return (
    <Frame title={t.title} {...(data === undefined ? {} : { about: t[data.kind] })}>
      {invitation.isPending && <Loading />}
      {invitation.isError && (
        <>
          <Notice tone="bad">{t.ended}</Notice>
          <a href="/">{t.signIn}</a>
        </>
      )}
      {data !== undefined && (
        <>
          <p>
            <strong>{data.email}</strong> <Badge code={data.role} />
          </p>
          <p className={styles.about}>
            {t.until} <Instant at={data.expiresAt} />
          </p>
          <Acceptance token={token} email={data.email} takesPassword={data.kind !== 'breakGlass'} />
        </>
      )}
    </Frame>
  );
}

interface AcceptanceProps {
  readonly token: string;
  readonly email: string;
  readonly takesPassword: boolean;
}

function Acceptance({ token, email, takesPassword }: AcceptanceProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const [differs, setDiffers] = useState(false);
  const accept = useMutation({
    mutationFn: (password: string | undefined) =>
      callProcedure('auth.acceptInvitation', { token, ...(password === undefined ? {} : { password }) }),
    // Reloads without the used token in the address.
    onSuccess: () => location.replace('/'),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const isSame = form.get('password') === form.get('repeat');
    setDiffers(!isSame);
    if (isSame) accept.mutate(takesPassword ? String(form.get('password')) : undefined);
  };
  const field = {
    type: 'password',
    autoComplete: 'new-password',
    minLength: 12,
    maxLength: 200,
    required: true,
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {takesPassword && (
        <>
          <TextField label={t.password} hint={t.hint} name="password" {...field} autoFocus />
          <TextField label={t.repeat} name="repeat" {...field} />
        </>
      )}
      {differs && <Notice tone="bad">{t.differs}</Notice>}
      {accept.isError && <Notice tone="bad">{failureText(accept.error)}</Notice>}
      <Button type="submit" tone="primary" aria-disabled={accept.isPending}>
        {t.go}
      </Button>
    </form>
  );
}
