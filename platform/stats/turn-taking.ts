/** A queue for one resource: `enter` waits for its turn and gives the function that ends it. */
export class TurnTaking {
  #last: Promise<void> = Promise.resolve()

  async enter(): Promise<() => void> {
    const before = this.#last
    let leave!: () => void
    this.#last = new Promise(resolve => (leave = resolve))
    await before
    return leave
  }
}
