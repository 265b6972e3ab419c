import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the focus near where it was when its element is gone, as a button is once it has done its work. */
export function useKeptFocus(shown: unknown): void {
  const last = useRef<{ element: Element; row: Element | null; card: Element | null } | undefined>(undefined);
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      last.current = { element: target, row: target.closest('tr, li'), card: target.closest('section') };
    };
    addEventListener('focusin', remember);
    return () => removeEventListener('focusin', remember);
  }, []);
  useLayoutEffect(() => {
    const { current } = last;
    if (current === undefined || current.element.isConnected || document.activeElement !== document.body)
      return;
    const { row, card } = current;
    const near =
      row?.isConnected === true
        ? row.querySelector('a')
        : card?.isConnected === true
          ? card.querySelector('h2')
          : null;
    (near ?? document.querySelector('main'))?.focus();
  }, [shown]);
}
