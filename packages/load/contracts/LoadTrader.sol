// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {PRIME_ORDERS} from "@prime/contracts/IPrimeOrders.sol";

/// Trades on its own account: many orders in one transaction.
contract LoadTrader {
    /// The order book's money of this contract.
    function deposit() external payable {
        PRIME_ORDERS.deposit{value: msg.value}();
    }

    /// Bids below and offers above each other, in turn, so that none of them meets another.
    /// @param middle a price on the grid; the orders stand up to `levels` ticks away from it
    function place(uint32 market, uint256 middle, uint256 tick, uint256 levels, uint256 size, uint256 count) external {
        for (uint256 index = 0; index < count; ++index) {
            uint256 away = tick * (1 + ((index / 2) % levels));
            bool isBuy = index % 2 == 0;
            PRIME_ORDERS.submitOrder(market, isBuy, isBuy ? middle - away : middle + away, size, 0, 0, 0);
        }
    }

    function cancelAll(uint32 market) external {
        PRIME_ORDERS.cancelAll(market);
    }
}
