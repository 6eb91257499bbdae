import type { ApolloClient } from '@apollo/client'
import { useApolloClient } from '@apollo/client/react'
import { createContext, type ReactNode, use } from 'react'
import type { Clients } from './client.ts'

const ClientsContext = createContext<Clients | undefined>(undefined)

/**
 * Provides the clients of both APIs, for screens that also query the other one. `ApolloProvider` has the application's
 * own.
 */
export function ClientsProvider({ clients, children }: { clients: Clients; children: ReactNode }) {
  return <ClientsContext value={clients}>{children}</ClientsContext>
}

/** @param api undefined: the application's own */
export function useClientOf(api: keyof Clients | undefined): ApolloClient {
  const own = useApolloClient()
  const clients = use(ClientsContext)
  if (api === undefined) return own
  if (clients === undefined) throw new Error('useClientOf outside of ClientsProvider')
  return clients[api]
}
