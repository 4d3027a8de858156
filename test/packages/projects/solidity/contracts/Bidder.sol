// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IPrimeOrders, PRIME_ORDERS} from "@prime/contracts/IPrimeOrders.sol";
import {OrderFlags, TimeInForce} from "@prime/contracts/PrimeConstants.sol";

/// What somebody writes who has read the README of the package.
contract Bidder {
    uint32 public constant MARKET = 1;

    struct State {
        uint8 status;
        uint256 filled;
        int256 position;
        uint256 entry;
        int256 collateral;
        int256 equity;
        uint256 initial;
        uint256 maintenance;
        uint256 withdrawable;
        uint256[4] prices;
        uint256 bids;
        uint256 asks;
        uint256 bestBidSize;
    }

    function deposit() external payable {
        PRIME_ORDERS.deposit{value: msg.value}();
    }

    function bid(uint256 price, uint256 size, uint128 clientId) external {
        PRIME_ORDERS.submitOrder(MARKET, true, price, size, TimeInForce.GTC, OrderFlags.POST_ONLY, clientId);
    }

    function take(bool isBuy, uint256 price, uint256 size, uint8 tif, uint8 flags, uint128 clientId) external {
        PRIME_ORDERS.submitOrder(MARKET, isBuy, price, size, tif, flags, clientId);
    }

    function cancel(uint128 clientId) external {
        PRIME_ORDERS.cancelByClientId(clientId);
    }

    function withdraw(uint256 amount, address to) external {
        PRIME_ORDERS.withdraw(amount, to);
    }

    /// All that reads show of this contract and its market.
    function state(uint128 clientId) external view returns (State memory shown) {
        (, shown.status, shown.filled) = PRIME_ORDERS.orderByClientId(address(this), clientId);
        (shown.position, shown.entry) = PRIME_ORDERS.position(address(this), MARKET);
        (shown.collateral, shown.equity, shown.initial, shown.maintenance, shown.withdrawable) =
            PRIME_ORDERS.account(address(this));
        (shown.prices[0], shown.prices[1], shown.prices[2], shown.prices[3]) = PRIME_ORDERS.bestPrices(MARKET);
        (IPrimeOrders.Level[] memory bids, IPrimeOrders.Level[] memory asks) = PRIME_ORDERS.book(MARKET, 10);
        shown.bids = bids.length;
        shown.asks = asks.length;
        if (bids.length > 0) shown.bestBidSize = bids[0].size;
    }
}
