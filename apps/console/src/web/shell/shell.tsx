import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { usePermission, useSession } from '../client/session.tsx';
import icon from '../design/icon.svg';
import { pages } from '../pages.ts';
import { useKeys } from '../parts/keys.tsx';
import { usePreferences } from '../texts/preferences.tsx';
import { createBilingual, useTexts } from '../texts/texts.ts';
import { KeyHelp } from './key-help.tsx';
import styles from './shell.module.css';
import { SignOut } from './sign-out.tsx';
import { Switches } from './switches.tsx';

const texts = createBilingual({
  en: {
    skip: 'Skip to the content',
    navigation: 'Pages',
    now: 'Now',
    records: 'Records',
    settings: 'System',
    go: (page: string) => `Go to ${page}`,
  },
  es: {
    skip: 'Ir al contenido',
    navigation: 'Páginas',
    now: 'Ahora',
    records: 'Registros',
    settings: 'Sistema',
    go: (page: string) => `Ir a ${page}`,
  },
});

const groups = ['now', 'records', 'settings'] as const;

/** Renders the frame of every page: links, signed-in operator, language and theme. */
export function Shell() {
  const t = useTexts(texts);
  const { language } = usePreferences();
  const { email } = useSession();
  const may = usePermission();
  const navigate = useNavigate();
  const links = pages.flatMap(({ path, link, procedure }) =>
    link !== undefined && (procedure === undefined || may(procedure)) ? [{ path, ...link }] : [],
  );
  useKeys(
    links.map(({ path, key, label }) => ({
      keys: `g ${key}`,
      label: t.go(label[language]),
      run: () => void navigate({ to: path }),
    })),
  );
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {t.skip}
      </a>
      <header className={styles.side}>
        <Link to="/" className={styles.brand}>
          <img src={icon} alt="" />
          Rubrica
        </Link>
        <nav className={styles.nav} aria-label={t.navigation}>
          {groups.map((group) => (
            <div key={group} className={styles.group}>
              <div className={styles.heading} aria-hidden="true">
                {t[group]}
              </div>
              {links
                .filter((link) => link.group === group)
                .map(({ path, label }) => (
                  <Link
                    key={path}
                    to={path}
                    className={styles.link}
                    activeOptions={{ exact: path === '/', includeSearch: false }}
                  >
                    {label[language]}
                  </Link>
                ))}
            </div>
          ))}
        </nav>
        <div className={styles.foot}>
          <div className={styles.who} title={email}>
            {email}
          </div>
          <Switches />
          <SignOut />
        </div>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <KeyHelp />
    </div>
  );
}
