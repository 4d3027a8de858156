import type { ComponentChildren, JSX } from 'preact';
import { IconButton } from '../kit/inputs.tsx';
import { Toasts } from '../kit/toasts.tsx';
import { navigation } from '../pages/pages.ts';
import { SearchBox } from '../search/SearchBox.tsx';
import { ConnectionNotice, ConnectionPill } from './ConnectionPill.tsx';
import { useExplorer } from './context.ts';
import { openMemory } from './storage.ts';
import { currentTheme, toggleTheme } from './theme.ts';

/** What surrounds every page: where one can go, what is being read, and whether it is the present. */
export function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const { node } = useExplorer();
  const { kind } = node.connection.value;
  const isOld = kind === 'unreachable' || kind === 'ended';
  return (
    <div class={isOld ? 'shell old' : 'shell'}>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <header class="shell-head">
        <div>
          <Brand />
          <Navigation />
          <SearchBox />
          <div class="shell-tools">
            <ConnectionPill />
            <ThemeButton />
          </div>
        </div>
      </header>
      <ConnectionNotice />
      <main id="page" class="shell-main" tabIndex={-1}>
        {children}
      </main>
      <footer class="shell-foot">Read from {node.url}. Nothing on this page comes from anywhere else.</footer>
      <Toasts />
    </div>
  );
}

function Brand(): JSX.Element {
  const { node, router } = useExplorer();
  const network = node.network.value;
  return (
    <a class="brand" href={router.href({ page: 'home' })} title="Overview">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect width="24" height="24" rx="6" fill="var(--accent-ground)" />
        <path
          d="M7.5 18.500V5.500h5.600a4.300 4.300 0 0 1 0 8.600H10.500"
          fill="none"
          stroke="var(--accent)"
          stroke-width="2.400"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      Prime
      {network !== null && <span class="network">{network.name}</span>}
    </a>
  );
}

function Navigation(): JSX.Element {
  const { router } = useExplorer();
  const current = router.route.value.page;
  return (
    <nav class="nav" aria-label="Pages">
      {navigation.map(({ title, page, also }) => (
        <a
          key={page}
          href={router.href({ page })}
          aria-current={page === current ? 'page' : also.includes(current) ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

function ThemeButton(): JSX.Element {
  const theme = currentTheme();
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={theme === 'dark' ? 'Use light colours' : 'Use dark colours'}
      onClick={() => toggleTheme(openMemory())}
    />
  );
}
