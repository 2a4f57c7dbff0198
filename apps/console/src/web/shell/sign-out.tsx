import { useSessionChanged } from '../client/session.tsx';
import { call } from '../client/trpc.ts';
import { Button } from '../parts/button.tsx';
import { tell } from '../parts/toasts.tsx';
import { useFailureText } from '../texts/failures.ts';
import { bilingual, useTexts } from '../texts/texts.ts';

const texts = bilingual({ en: { signOut: 'Sign out' }, es: { signOut: 'Cerrar sesión' } });

export function SignOut() {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const changed = useSessionChanged();
  const signOut = async () => {
    try {
      await call('auth.signOut', {});
    } catch (error) {
      tell({ title: t.signOut, text: failureText(error), tone: 'bad' });
    }
    await changed();
  };
  return (
    <Button small tone="quiet" onClick={() => void signOut()}>
      {t.signOut}
    </Button>
  );
}
