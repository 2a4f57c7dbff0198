import { useReloadSession } from '../client/session.tsx';
import { callProcedure } from '../client/trpc.ts';
import { Button } from '../parts/button.tsx';
import { showToast } from '../parts/toasts.tsx';
import { useFailureText } from '../texts/failures.ts';
import { createBilingual, useTexts } from '../texts/texts.ts';

const texts = createBilingual({ en: { signOut: 'Sign out' }, es: { signOut: 'Cerrar sesión' } });

export function SignOut() {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const changed = useReloadSession();
  const signOut = async () => {
    try {
      await callProcedure('auth.signOut', {});
    } catch (error) {
      showToast({ title: t.signOut, text: failureText(error), tone: 'bad' });
    }
    await changed();
  };
  return (
    <Button small tone="quiet" onClick={() => void signOut()}>
      {t.signOut}
    </Button>
  );
}
