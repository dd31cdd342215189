import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { MenuItem, MoreButton } from '../../web/ui/menu.tsx'

describe('the menu behind three dots', () => {
  const choose = vi.fn()
  const showButton = () => {
    render(
      <MoreButton label="More for Rosa Quill">
        <MenuItem onChoose={() => choose('first')}>First</MenuItem>
        <MenuItem onChoose={() => choose('second')}>Second</MenuItem>
      </MoreButton>,
    )
    return screen.getByRole('button', { name: 'More for Rosa Quill', expanded: false })
  }

  it.each(['{Enter}', ' ', '{ArrowDown}'])(
    'opens by the key “%s” with its first item, and gives the focus back',
    async (key) => {
      const user = userEvent.setup()
      showButton().focus()
      await user.keyboard(key)
      await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'First' })))
      await user.keyboard('{ArrowDown}{Enter}')
      expect(choose).toHaveBeenLastCalledWith('second')
      await waitFor(() =>
        expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More for Rosa Quill' })),
      )

      await user.keyboard('{Enter}{Enter}')
      expect(choose).toHaveBeenLastCalledWith('first')
    },
  )

  it('opens by a click, without an item in focus', async () => {
    const user = userEvent.setup()
    await user.click(showButton())
    expect(document.activeElement).toBe(screen.getByRole('menu'))
    await user.click(screen.getByRole('menuitem', { name: 'Second' }))
    expect(choose).toHaveBeenLastCalledWith('second')
    expect(screen.queryByRole('menu')).toBeNull()
  })
})
