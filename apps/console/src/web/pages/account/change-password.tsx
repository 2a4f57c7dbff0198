import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import { Action } from '../../parts/action.tsx';
import { TextField } from '../../parts/field.tsx';
import { createBilingual, useTexts } from '../../texts/texts.ts';

const texts = createBilingual({
  en: {
    change: 'Change password',
    text: 'All your other sessions end.',
    current: 'Present password',
    next: 'New password',
    hint: '12 characters or more. A sentence of a few words is good; what others use too is refused.',
    done: 'The password was changed',
    elsewhere: 'You sign in with the account of your organisation: its password is changed there',
  },
  es: {
    change: 'Cambiar contraseña',
    text: 'Terminan todas sus otras sesiones.',
    current: 'Contraseña actual',
    next: 'Contraseña nueva',
    hint: '12 caracteres o más. Sirve una frase de pocas palabras; se rechaza lo que otros también usan.',
    done: 'Se cambió la contraseña',
    elsewhere: 'Usted ingresa con la cuenta de su organización: su contraseña se cambia allí',
  },
});

export function ChangePassword() {
  const t = useTexts(texts);
  const { data: sessions } = useQuery(createQuery('auth.sessions', {}));
  const isOfProvider = sessions?.items.some(({ isCurrent, method }) => isCurrent && method === 'oidc');
  return (
    <Action
      procedure="auth.changePassword"
      label={t.change}
      text={t.text}
      unavailable={isOfProvider ? t.elsewhere : undefined}
      reason="none"
      toInput={(form) => ({
        currentPassword: String(form.get('current')),
        newPassword: String(form.get('next')),
      })}
      done={() => t.done}
    >
      <TextField
        label={t.current}
        name="current"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        required
      />
      <TextField
        label={t.next}
        hint={t.hint}
        name="next"
        type="password"
        autoComplete="new-password"
        minLength={12}
        maxLength={200}
        required
      />
    </Action>
  );
}
